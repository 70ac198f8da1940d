import { addVariablesHelp, createCommand } from "../terminal/read-command-line.ts";
import { CORE_SYSTEM_VARIABLES } from "./core-system-config.ts";

/** The command line of `npm run core-system`. */
export const CORE_SYSTEM_COMMAND = addVariablesHelp(
  createCommand(
    "npm run core-system",
    "Serves the demo bank of the running sandbox as a core system over mutual TLS, to try the HTTP connector and the connector kit, and prints how to point both at it. Ctrl-C ends it.",
  ),
  CORE_SYSTEM_VARIABLES,
).addHelpText(
  "after",
  "Exit codes: 0 ended, 1 the port is taken, 2 wrong usage, 4 there is no such sandbox, or its database does not answer, 78 wrong configuration.",
);
