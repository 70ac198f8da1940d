/** A service that needs nothing, for tests of its processes. Its metrics take as long as with a hung database. */
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Gauge, Registry } from "prom-client";
import { ConfigurationRefusal } from "../../../../packages/service-edge/src/configuration/variable.ts";
import { runService } from "../../../../packages/service-edge/src/lifecycle/run-service.ts";

const HANGING_DATABASE_MILLISECONDS = 2_800;

await runService({
  name: "smallest",
  environment: process.env,
  commandLine: process.argv.slice(2),
  configure: ({ OPERATOR_PORT, DRAIN_DELAY_SECONDS = "0", UNFIT_IF = "" }) => {
    if (existsSync(UNFIT_IF)) throw new ConfigurationRefusal(["KEY_FILE: the key is of another certificate"]);
    return {
      logLevel: "info",
      operatorHost: "127.0.0.1",
      operatorPort: Number(OPERATOR_PORT),
      drainDelaySeconds: Number(DRAIN_DELAY_SECONDS),
      drainLimitSeconds: 1,
    };
  },
  start: async (_config, { log, supervisor }) => {
    log.info({ pid: process.pid }, "begun");
    const registry = new Registry();
    registry.setDefaultLabels({ process: String(supervisor?.number) });
    new Gauge({
      name: "service_ready",
      help: "Ready.",
      registers: [registry],
      async collect() {
        await delay(HANGING_DATABASE_MILLISECONDS);
        this.set(0);
      },
    });
    const age = {
      name: "answer_age_seconds",
      help: "Since an answer that never came.",
      registers: [registry],
    };
    new Gauge(age).set(Number.POSITIVE_INFINITY);
    supervisor?.answer({
      readiness: async () => ({ started: true }),
      metrics: () => registry.getMetricsAsJSON(),
    });
  },
});
