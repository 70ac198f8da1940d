/**
 * The operator at the terminal, where there is no sandbox and there are no npm scripts. Exit codes: 0 done, 2 wrong usage,
 * 3 refused, 4 a service cannot be reached, 5 the audit chain is broken, 78 wrong configuration, 141 its reader has gone; 1 is a
 * fault of its own.
 */
import { endWithReader } from "@cobs/service-edge/configuration";
import { runOperatorCommand } from "./run-operator-command.ts";

endWithReader([process.stdout, process.stderr]);
process.exitCode = await runOperatorCommand({
  environment: process.env,
  commandLine: process.argv.slice(2),
  stdout: process.stdout,
  stderr: process.stderr,
});
