/** `npm run tpp -- <command>`: a TPP at the terminal. */
import { resolve } from "node:path";
import { runCommandLine } from "./run-command-line.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), {
  directory: resolve(process.env.SANDBOX_DIRECTORY || ".sandbox"),
  say: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
