import { runAfterRestore } from "./run-after-restore.ts";

process.exitCode = await runAfterRestore({
  environment: process.env,
  commandLine: process.argv.slice(2),
  stdout: process.stdout,
  stderr: process.stderr,
});
