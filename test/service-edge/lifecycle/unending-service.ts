/** A service with a part that never closes; with an argument, it cannot start either. */
import { runService } from "../../../packages/service-edge/src/lifecycle/run-service.ts";

await runService({
  name: "unending",
  environment: process.env,
  commandLine: [],
  configure: () => ({
    logLevel: "info",
    operatorHost: "127.0.0.1",
    operatorPort: 0,
    drainDelaySeconds: 1,
    drainLimitSeconds: 0,
  }),
  start: async (_config, { log, lifecycle }) => {
    // Keeps the process alive, as a connection would.
    setInterval(() => undefined, 1_000);
    const tell = (what: string) => log.info({ at: Math.round(performance.now()) }, what);
    lifecycle.onDrain("entrance", { drain: () => tell("drains"), close: async () => tell("closes") });
    lifecycle.onStop("part", () => new Promise(() => undefined));
    if (process.argv.length > 2) throw new Error("the rest is missing");
  },
});
