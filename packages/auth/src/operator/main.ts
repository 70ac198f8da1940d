/**
 * `npm run auth -- <command>`: the operator at the terminal. With `--json`, standard output has the answer alone. Exit
 * codes: 0 done, 2 wrong usage, 3 refused, 4 a service cannot be reached, 78 wrong configuration; 1 is a fault of its own.
 */
import { runOperatorCommand } from "./run-operator-command.ts";

process.exitCode = await runOperatorCommand({
  environment: process.env,
  commandLine: process.argv.slice(2),
  stdout: process.stdout,
  stderr: process.stderr,
});
