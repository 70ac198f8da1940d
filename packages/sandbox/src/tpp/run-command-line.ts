/**
 * What `npm run tpp -- <command>` does, for any caller. Exit codes: 0 done, 2 wrong usage, 3 refused by a server, 4 no sandbox
 * runs, 5 no consent, 130 interrupted; 1 is an unexpected error.
 */
import { optionWords, requireClearOptions } from "@cobs/service-edge/configuration";
import { writeJson } from "@cobs/service-edge/json";
import { readSandboxDocument, type SandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import { JSON_FLAG } from "../terminal/json-option.ts";
import { type Outlet, parserOutput, reportError } from "../terminal/tell-error.ts";
import type { CommandContext } from "./command.ts";
import { createCommandLine, type RunCommand } from "./command-line.ts";
import { explainError } from "./explain-error.ts";
import { openTppMemory } from "./tpp-memory.ts";
import { TppRefusal } from "./tpp-refusal.ts";
import { openUsedSteps, usedStepsFile } from "./used-steps-file.ts";

/** Where a command runs and writes. */
export interface TppTerminal extends Outlet, Pick<CommandContext, "whenInterrupted"> {
  /** The folder of the sandbox, absolute. */
  readonly directory: string;
}

/**
 * Runs a command to its end; gives the exit code. With `--json`, standard output has one object (the result or the error) and
 * nothing else; progress goes to standard error.
 */
export async function runCommandLine(words: readonly string[], terminal: TppTerminal): Promise<number> {
  const json = optionWords(words).includes(JSON_FLAG);
  const program = createCommandLine(runIn(terminal), parserOutput(terminal, json));
  try {
    requireClearOptions(program, words);
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (thrown) {
    return reportError(await explainError(thrown), terminal, json);
  }
}

function runIn({ directory, say, complain, whenInterrupted }: TppTerminal): RunCommand {
  return async (command, options, json) => {
    const sandbox = await requireSandbox(directory);
    const context = {
      sandbox,
      memory: openTppMemory(directory, sandbox.readyApplication),
      usedSteps: openUsedSteps(usedStepsFile(directory)),
      tell: (text: string) => (json ? complain : say)(`${text}\n`),
      whenInterrupted,
    };
    const result = await command(context, options);
    say(`${json ? writeJson(result.json) : result.text}\n`);
  };
}

async function requireSandbox(directory: string): Promise<SandboxDocument> {
  const document = await readSandboxDocument(sandboxLayout(directory).document);
  if (document !== undefined) return document;
  const hint = "Start it with: npm start. Another folder is chosen with SANDBOX_DIRECTORY.";
  throw new TppRefusal("no_sandbox", `there is no sandbox in ${directory}`, hint);
}
