/**
 * `npm run seed -- --transactions N`: adds any number of transactions to the bank of the running sandbox. Progress goes to
 * standard error; with `--json`, standard output has only the result.
 */
import { resolve } from "node:path";
import { sandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { onInterruption } from "../terminal/on-interruption.ts";
import { runCommandLine } from "./run-command-line.ts";

const { MODE, RESOURCE_DATABASE_URL, SANDBOX_DIRECTORY } = process.env;
const interruption = new AbortController();
onInterruption(() => interruption.abort());

const sandbox = sandboxLayout(resolve(SANDBOX_DIRECTORY || ".sandbox"));

process.exitCode = await runCommandLine(process.argv.slice(2), {
  mode: MODE,
  databaseUrl: RESOURCE_DATABASE_URL,
  sandboxUrlFile: sandbox.databaseUrl.resource,
  sandboxDocument: sandbox.document,
  say: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  interrupted: interruption.signal,
});
