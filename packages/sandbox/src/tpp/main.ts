/**
 * `npm run tpp -- <command>`: a TPP at the terminal. With `--json`, standard output has the result alone and progress goes
 * to standard error, so that a program can read it. Exit codes: 0 done, 2 wrong usage, 3 refused by a server, 4 no sandbox runs,
 * 5 no consent; 1 is a fault of the command line itself.
 */
import { resolve } from "node:path";
import { inspect } from "node:util";
import { CommanderError } from "commander";
import { readSandboxDocument, type SandboxDocument } from "../start/sandbox-document.ts";
import { sandboxLayout } from "../start/sandbox-layout.ts";
import { createCommandLine, type RunCommand } from "./command-line.ts";
import { explainError } from "./explain-error.ts";
import { openTppMemory } from "./tpp-memory.ts";
import { EXIT_CODES, TppRefusal } from "./tpp-refusal.ts";
import { openUsedSteps, usedStepsFile } from "./used-steps-file.ts";

const directory = resolve(process.env.SANDBOX_DIRECTORY || ".sandbox");

async function requireSandbox(): Promise<SandboxDocument> {
  const document = await readSandboxDocument(sandboxLayout(directory).document);
  if (document !== undefined) return document;
  const hint = "Start it with: npm start. Another folder is chosen with SANDBOX_DIRECTORY.";
  throw new TppRefusal("no_sandbox", `there is no sandbox in ${directory}`, hint);
}

const run: RunCommand = async (command, options, json) => {
  const context = {
    sandbox: await requireSandbox(),
    memory: openTppMemory(directory),
    usedSteps: openUsedSteps(usedStepsFile(directory)),
    tell: (text: string) => void (json ? process.stderr : process.stdout).write(`${text}\n`),
  };
  const result = await command(context, options);
  process.stdout.write(`${json ? JSON.stringify(result.json) : result.text}\n`);
};

async function report(thrown: unknown): Promise<number> {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : EXIT_CODES.usage;
  const error = await explainError(thrown);
  if (!(error instanceof TppRefusal)) {
    process.stderr.write(`${inspect(error)}\n`);
    return 1;
  }
  process.stderr.write(`${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
  return EXIT_CODES[error.code];
}

try {
  await createCommandLine(run).parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}
