import { createCommand } from "../processes/read-command-line.ts";

const ENVIRONMENT = `
Environment:
  CORE_SYSTEM_PORT        port; 9445 unless told otherwise
  SANDBOX_DIRECTORY       folder of the sandbox; .sandbox unless told otherwise
  RESOURCE_DATABASE_URL   another database of a resource server than the sandbox's
  LOG_LEVEL               debug, info, warn or error; warn unless told otherwise

Exit codes: 0 ended, 1 there is no such sandbox or database, 2 wrong usage.`;

/** The command line of `npm run core-system`. */
export const CORE_SYSTEM_COMMAND = createCommand(
  "npm run core-system",
  "Serves the demo bank of the running sandbox as a core system over mutual TLS, to try the HTTP connector and the test kit with, and prints how both are told of it. It ends with Ctrl+C.",
).addHelpText("after", ENVIRONMENT);
