import { runService, systemClock } from "@cobs/service-edge";
import { configure } from "./config.ts";
import { startResource } from "./service.ts";

await runService({
  name: "resource",
  environment: process.env,
  commandLine: process.argv.slice(2),
  configure,
  start: async (config, parts) => {
    await startResource(config, { ...parts, clock: systemClock });
  },
});
