import { inspect } from "node:util";
import {
  ConfigurationRefusal,
  describeWrongUsage,
  type Environment,
  optionWords,
  readCertificates,
  readConfiguration,
  readKeyPair,
  requireClearOptions,
} from "@cobs/service-edge/configuration";
import { CommanderError } from "commander";
import { createOperatorCommandLine } from "./command-line.ts";
import { CommandRefusal, describeRefusal, EXIT_CODES } from "./command-refusal.ts";
import { JSON_OPTION } from "./commands/command-run.ts";
import { OPERATOR_VARIABLES } from "./env.ts";
import { legibleJson, legibleText } from "./legible.ts";
import { createOperatorClients, type OperatorConfiguration } from "./operator-client.ts";
import { separateIds } from "./separate-ids.ts";

/** Output stream that the command prints to. */
export interface TextSink {
  /** False when much of what was written is not read yet. */
  write(text: string): unknown;
  /** Calls back when it has been read. */
  once?(event: "drain", resume: () => void): unknown;
}

/** One run of the operator's command. */
export interface OperatorRun {
  readonly environment: Environment;
  /** Arguments, without the program itself. */
  readonly commandLine: readonly string[];
  readonly stdout: TextSink;
  readonly stderr: TextSink;
}

/**
 * Runs the operator's command and returns its exit code: 0, one of `EXIT_CODES`, or 1 for an internal fault. With `--json`,
 * standard output is exactly one object, the answer or the error; for an export, one object per line.
 */
export async function runOperatorCommand(run: OperatorRun): Promise<number> {
  const { commandLine, stdout, stderr } = run;
  const toProgram = optionWords(commandLine).includes(JSON_OPTION[0]);
  const output = {
    writeOut: (text: string) => void stdout.write(text),
    writeErr: (text: string) => void (toProgram || stderr.write(text)),
  };
  const terminal = {
    write: (line: string) => writeAtPace(stdout, `${line}\n`),
    tell: (progress: string) => void stderr.write(`${progress}\n`),
  };
  const program = createOperatorCommandLine(async (command, json) => {
    const result = await command(createOperatorClients(configure(run.environment)), terminal);
    if (result === undefined) return;
    stdout.write(`${json ? legibleJson(result.json) : legibleText(result.text)}\n`);
    if (result.warning !== undefined) stderr.write(`${legibleText(result.warning)}\n`);
  }, output);
  try {
    const words = separateIds(commandLine);
    requireClearOptions(program, words);
    await program.parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { exitCode, json, text } = describe(error);
    if (toProgram) stdout.write(`${legibleJson(JSON.stringify(json))}\n`);
    else if (text !== undefined) stderr.write(`${legibleText(text)}\n`);
    return exitCode;
  }
}

/** Waits for the reader, so that unread output does not pile up in memory. */
async function writeAtPace(sink: TextSink, text: string): Promise<void> {
  if (sink.write(text) === false) await new Promise<void>((resolve) => sink.once?.("drain", resolve));
}

function configure(environment: Environment): OperatorConfiguration {
  return readConfiguration<OperatorConfiguration>(OPERATOR_VARIABLES, environment, (read) => ({
    authUrl: () => read.origin("OPERATOR_URL"),
    resourceUrl: () =>
      read.optionalText("RESOURCE_BANK_URL") === undefined ? undefined : read.origin("RESOURCE_BANK_URL"),
    identity: () => readKeyPair(read, "OPERATOR"),
    authority: () => readCertificates(read, "BANK_AUTHORITY_FILE"),
  }));
}

/** How a failed command ends: `json` for programs; `text` for people, unless they were told already. */
interface Ending {
  readonly exitCode: number;
  readonly json: { readonly error: string; readonly message: string; readonly hint?: string };
  readonly text?: string;
}

const HYPHEN_HINT = "Put an id that begins with a hyphen last, after --: psu block --reason fraud -- -x7Kd02";

/** Describes wrong usage, which people were told already. When an unknown option may be an id, adds how to give it. */
function describeUsage(error: CommanderError): Ending {
  const json = describeWrongUsage(error);
  const { usage: exitCode } = EXIT_CODES;
  if (error.code !== "commander.unknownOption" || !/ '-[^-]/.test(error.message)) return { exitCode, json };
  return { exitCode, json: { ...json, hint: `${json.hint} ${HYPHEN_HINT}` }, text: HYPHEN_HINT };
}

function describe(error: unknown): Ending {
  if (error instanceof CommanderError) return describeUsage(error);
  if (error instanceof ConfigurationRefusal) {
    const { message } = error;
    return { exitCode: EXIT_CODES.configuration, json: { error: "configuration", message }, text: message };
  }
  if (!(error instanceof CommandRefusal)) {
    const message = error instanceof Error ? error.message : String(error);
    return { exitCode: 1, json: { error: "failed", message }, text: inspect(error) };
  }
  const { code, message, hint, answer } = error;
  return {
    exitCode: EXIT_CODES[code],
    json: { error: code, message, ...(hint !== undefined && { hint }), ...answer },
    text: describeRefusal(error),
  };
}
