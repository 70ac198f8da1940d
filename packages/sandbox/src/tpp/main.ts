/** `npm run tpp -- <command>`: a TPP at the terminal. */
import { resolve } from "node:path";
import { onInterruption } from "../terminal/on-interruption.ts";
import { runCommandLine } from "./run-command-line.ts";
import { INTERRUPTED } from "./tpp-refusal.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), {
  directory: resolve(process.env.SANDBOX_DIRECTORY || ".sandbox"),
  say: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  whenInterrupted: onInterruption,
});
// What was under way may still wait for something.
if (process.exitCode === INTERRUPTED) process.exit();
