import { runService, systemClock } from "@cobs/service-edge";
import { configure } from "./config.ts";
import { startAuth } from "./service.ts";

await runService({
  name: "auth",
  environment: process.env,
  commandLine: process.argv.slice(2),
  configure,
  start: async (config, parts) => {
    await startAuth(config, { ...parts, clock: systemClock });
  },
});
