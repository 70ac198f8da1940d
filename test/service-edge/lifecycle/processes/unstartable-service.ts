/** A service whose database is unfit, as all its processes find at the same time. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseUnsuitable } from "../../../../packages/service-edge/src/database/database-unsuitable.ts";
import { runService } from "../../../../packages/service-edge/src/lifecycle/run-service.ts";

const { FOLDER = "", OPERATOR_PORT } = process.env;

await runService({
  name: "unstartable",
  environment: process.env,
  commandLine: process.argv.slice(2),
  configure: () => ({
    logLevel: "info",
    operatorHost: "127.0.0.1",
    operatorPort: Number(OPERATOR_PORT),
    drainDelaySeconds: 0,
    drainLimitSeconds: 1,
  }),
  start: async (_config, { supervisor }) => {
    writeFileSync(join(FOLDER, String(supervisor?.number)), "");
    // Without a pause, so that none is told to end before it has found the same.
    while (!["1", "2"].every((number) => existsSync(join(FOLDER, number))));
    throw new DatabaseUnsuitable("of_another_service", "the database is of another service");
  },
});
