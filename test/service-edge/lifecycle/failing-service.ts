/** A service with a fault: once it is ready, nothing catches an error of the database. */
import { runService } from "../../../packages/service-edge/src/lifecycle/run-service.ts";

const refused = new Error("the row was refused");

await runService({
  name: "failing",
  environment: process.env,
  commandLine: [],
  configure: () => ({
    logLevel: "info",
    operatorHost: "127.0.0.1",
    operatorPort: 0,
    drainDelaySeconds: 0,
    drainLimitSeconds: 1,
  }),
  start: async () => {
    setImmediate(() => Promise.reject(Object.assign(refused, { code: "23514", detail: "(Jana, CZ65…)" })));
  },
});
