import {
  doubtBankCallers,
  doubtConnections,
  doubtOwnCertificates,
  runService,
  systemClock,
} from "@cobs/service-edge";
import { configure } from "./config.ts";
import { RESOURCE_VARIABLES } from "./env.ts";

await runService({
  name: "resource",
  environment: process.env,
  commandLine: process.argv.slice(2),
  variables: RESOURCE_VARIABLES,
  configure,
  doubtConnections,
  doubt: (config) => [...doubtOwnCertificates(config), ...doubtBankCallers(config.bankCallers, ["accounts"])],
  start: async (config, parts) => {
    // Imported only by a process that serves calls: checking the configuration, or supervising other processes, does not need
    // it.
    const { startResource } = await import("./service.ts");
    await startResource(config, { ...parts, clock: systemClock });
  },
});
