import { inspect } from "node:util";
import {
  ConfigurationRefusal,
  type Environment,
  readCertificates,
  readConfiguration,
  readKeyPair,
} from "@cobs/service-edge/configuration";
import { CommanderError } from "commander";
import { createOperatorCommandLine } from "./command-line.ts";
import { CommandRefusal, describeRefusal, EXIT_CODES } from "./command-refusal.ts";
import { OPERATOR_VARIABLES } from "./env.ts";
import { legibleJson, legibleText } from "./legible.ts";
import { createOperatorClients, type OperatorConfiguration } from "./operator-client.ts";
import { separateIds } from "./separate-ids.ts";

/** Takes what is printed. */
export interface TextSink {
  write(text: string): unknown;
}

/** A run of the operator's command. */
export interface OperatorRun {
  readonly environment: Environment;
  /** Without the program itself. */
  readonly commandLine: readonly string[];
  readonly stdout: TextSink;
  readonly stderr: TextSink;
}

/** Runs the operator's command and gives its exit code: 0, or one of `EXIT_CODES`, or 1 for a fault of its own. */
export async function runOperatorCommand(run: OperatorRun): Promise<number> {
  const { commandLine, stdout, stderr } = run;
  const output = {
    writeOut: (text: string) => void stdout.write(text),
    writeErr: (text: string) => void stderr.write(text),
  };
  const terminal = {
    write: (line: string) => void stdout.write(`${line}\n`),
    tell: (progress: string) => void stderr.write(`${progress}\n`),
  };
  const program = createOperatorCommandLine(async (command, json) => {
    const result = await command(createOperatorClients(configure(run.environment)), terminal);
    if (result === undefined) return;
    stdout.write(`${json ? legibleJson(result.json) : legibleText(result.text)}\n`);
    if (result.warning !== undefined) stderr.write(`${legibleText(result.warning)}\n`);
  }, output);
  try {
    await program.parseAsync([...separateIds(commandLine)], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage;
    const { code, text } = describe(error);
    stderr.write(`${legibleText(text)}\n`);
    return code;
  }
}

function configure(environment: Environment): OperatorConfiguration {
  return readConfiguration<OperatorConfiguration>(OPERATOR_VARIABLES, environment, (read) => ({
    authUrl: () => read.url("OPERATOR_URL", ["https:"]),
    resourceUrl: () =>
      read.optionalText("RESOURCE_BANK_URL") === undefined
        ? undefined
        : read.url("RESOURCE_BANK_URL", ["https:"]),
    identity: () => readKeyPair(read, "OPERATOR"),
    authority: () => readCertificates(read, "BANK_AUTHORITY_FILE"),
  }));
}

function describe(error: unknown): { readonly code: number; readonly text: string } {
  if (error instanceof ConfigurationRefusal) return { code: EXIT_CODES.configuration, text: error.message };
  if (!(error instanceof CommandRefusal)) return { code: 1, text: inspect(error) };
  return { code: EXIT_CODES[error.code], text: describeRefusal(error) };
}
