/**
 * `npm run certs -- <command>`: the test CA at the terminal. With `--json`, standard output has one object (the result or the
 * error) for programs, and progress goes to standard error. Exit codes: 0 done, 1 a certificate was refused, 2 wrong usage, 3
 * an unexpected error.
 */
import { resolve } from "node:path";
import { optionWords, requireClearOptions } from "@cobs/service-edge/configuration";
import { revocationUrls } from "../revocation/revocation-responder.ts";
import { readSandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { CommandRefusal } from "../terminal/command-refusal.ts";
import { JSON_FLAG } from "../terminal/json-option.ts";
import { onInterruption } from "../terminal/on-interruption.ts";
import { parserOutput, reportError } from "../terminal/tell-error.ts";
import type { CommandContext } from "./command.ts";
import { createCommandLine, GATHERING_OPTIONS, type RunCommand } from "./command-line.ts";

/** The port that a sandbox not yet started will listen on. */
function readResponderPort(text = "8447"): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port > 0 && port <= 65_535) return port;
  throw new CommandRefusal({ code: "usage", exitCode: 2 }, "REVOCATION_PORT must be a port, from 1 to 65535");
}

const layout = sandboxLayout(resolve(process.env.SANDBOX_DIRECTORY || ".sandbox"));

async function openContext(json: boolean): Promise<CommandContext> {
  const sandbox = await readSandboxDocument(layout.document);
  return {
    sandboxCertificates: layout.certificates,
    sources:
      sandbox?.revocation ?? revocationUrls(readResponderPort(process.env.REVOCATION_PORT || undefined)),
    now: () => new Date(),
    tell: (text) => void (json ? process.stderr : process.stdout).write(`${text}\n`),
    interrupted: () => new Promise((interrupt) => onInterruption(interrupt)),
  };
}

const run: RunCommand = async (command, options, json) => {
  const result = await command(await openContext(json), options);
  process.stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`);
  if (result.refused) process.exitCode = 1;
};

const FAULT = 3;
const outlet = {
  say: (text: string) => void process.stdout.write(text),
  complain: (text: string) => void process.stderr.write(text),
};
const words = process.argv.slice(2);
const json = optionWords(words).includes(JSON_FLAG);
try {
  const program = createCommandLine(run, parserOutput(outlet, json));
  requireClearOptions(program, words, GATHERING_OPTIONS);
  await program.parseAsync(words, { from: "user" });
} catch (error) {
  process.exitCode = reportError(error, outlet, json, FAULT);
}
