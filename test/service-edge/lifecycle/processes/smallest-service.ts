/** A service that needs nothing, to see what becomes of its processes. */
import { runService } from "../../../../packages/service-edge/src/lifecycle/run-service.ts";

await runService({
  name: "smallest",
  environment: process.env,
  commandLine: process.argv.slice(2),
  configure: ({ OPERATOR_PORT }) => ({
    logLevel: "info",
    operatorHost: "127.0.0.1",
    operatorPort: Number(OPERATOR_PORT),
    drainDelaySeconds: 0,
    drainLimitSeconds: 1,
  }),
  start: async (_config, { log, supervisor }) => {
    log.info({ pid: process.pid }, "begun");
    supervisor?.answer({ readiness: async () => ({ started: true }), metrics: async () => [] });
  },
});
