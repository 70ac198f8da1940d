import { endWithReader } from "@cobs/service-edge/configuration";
import { runCommandLine } from "./command-line.ts";

endWithReader([process.stdout, process.stderr]);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  say: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
