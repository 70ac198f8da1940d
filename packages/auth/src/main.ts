import {
  type BankRight,
  doubtBankCallers,
  doubtConnections,
  doubtOwnCertificates,
  runService,
  systemClock,
} from "@cobs/service-edge";
import { type AuthConfiguration, configure } from "./config.ts";
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
    ...doubtBankCallers(config.bankCallers, neededByResource(config)),
  ],
  start: async (config, parts) => {
    // Loaded only to serve calls: checking a configuration or supervising other processes does not need it.
    const { startAuth } = await import("./service.ts");
    await startAuth(config, { ...parts, clock: systemClock });
  },
});

/** Without payments, resource has none to ask the PSU about. */
function neededByResource({ applications }: AuthConfiguration): readonly BankRight[] {
  return applications.offeredScopes.includes("pisp")
    ? ["introspect", "feed", "signing"]
    : ["introspect", "feed"];
}
