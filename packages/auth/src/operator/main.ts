/**
 * Entry point of the operator's command, for a server without sandbox and npm scripts. Exit codes: 0 done, 2 wrong usage,
 * 3 refused, 4 a service cannot be reached, 5 the audit chain is broken or its export incomplete, 78 wrong configuration, 141 its
 * reader has gone; 1 is an internal fault.
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
