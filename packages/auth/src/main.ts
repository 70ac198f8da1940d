import {
  doubtBankCallers,
  doubtConnections,
  doubtOwnCertificates,
  runService,
  systemClock,
} from "@cobs/service-edge";
import { configure } from "./config.ts";
import { AUTH_VARIABLES } from "./env.ts";

await runService({
  name: "auth",
  environment: process.env,
  commandLine: process.argv.slice(2),
  variables: AUTH_VARIABLES,
  configure,
  doubtConnections,
  doubt: (config) => [
    ...doubtOwnCertificates(config),
    ...doubtBankCallers(config.bankCallers, ["introspect", "feed", "signing"]),
  ],
  start: async (config, parts) => {
    // Loaded only to serve calls: checking a configuration or supervising other processes does not need it.
    const { startAuth } = await import("./service.ts");
    await startAuth(config, { ...parts, clock: systemClock });
  },
});
