import { endWithReader } from "@cobs/service-edge/configuration";
import { runAfterRestore } from "./run-after-restore.ts";

endWithReader([process.stdout, process.stderr]);
process.exitCode = await runAfterRestore({
  environment: process.env,
  commandLine: process.argv.slice(2),
  stdout: process.stdout,
  stderr: process.stderr,
});
