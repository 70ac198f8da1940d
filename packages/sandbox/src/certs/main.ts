/**
 * `npm run certs -- <command>`: the test CA at the terminal. With `--json`, standard output has the result alone and
 * progress goes to standard error, so that a program can read it. Exit codes: 0 done, 1 a certificate was refused, 2 wrong
 * usage, 3 a fault of the command line itself.
 */
import { once } from "node:events";
import { resolve } from "node:path";
import { inspect } from "node:util";
import { CommanderError } from "commander";
import { revocationUrls } from "../revocation/revocation-responder.ts";
import { readSandboxDocument } from "../start/sandbox-document.ts";
import { sandboxLayout } from "../start/sandbox-layout.ts";
import { CertsRefusal } from "./certs-refusal.ts";
import type { CommandContext } from "./command.ts";
import { createCommandLine, type RunCommand } from "./command-line.ts";

// What a sandbox that was not started yet will listen on.
const responderPort = Number(process.env.REVOCATION_PORT) || 8447;
const layout = sandboxLayout(resolve(process.env.SANDBOX_DIRECTORY || ".sandbox"));

async function openContext(json: boolean): Promise<CommandContext> {
  const sandbox = await readSandboxDocument(layout.document);
  return {
    sandboxCertificates: layout.certificates,
    sources: sandbox?.revocation ?? revocationUrls(responderPort),
    now: () => new Date(),
    tell: (text) => void (json ? process.stderr : process.stdout).write(`${text}\n`),
    interrupted: async () => {
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    },
  };
}

const run: RunCommand = async (command, options, json) => {
  const result = await command(await openContext(json), options);
  process.stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`);
  if (result.refused) process.exitCode = 1;
};

function report(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  if (!(thrown instanceof CertsRefusal)) {
    process.stderr.write(`${inspect(thrown)}\n`);
    return 3;
  }
  process.stderr.write(`${thrown.message}\n${thrown.hint === undefined ? "" : `${thrown.hint}\n`}`);
  return 2;
}

try {
  await createCommandLine(run).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
