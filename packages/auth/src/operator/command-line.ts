import { Command, type OutputConfiguration } from "commander";
import type { OperatorClient } from "./operator-client.ts";
import {
  block,
  type CommandResult,
  explainRefusal,
  listBlocks,
  release,
  type Whom,
} from "./operator-commands.ts";

/** Runs a command with a client of the operator API, and prints what it gives. */
export type RunCommand = (
  command: (call: OperatorClient) => Promise<CommandResult>,
  json: boolean,
) => Promise<void>;

interface Json {
  readonly json?: boolean;
}

const JSON_OPTION = ["--json", "print the answer as JSON, and nothing else, on standard output"] as const;
const ORGANISATION = ["--organisation <identifier>", "a TPP, such as PSDCZ-CNB-12345678"] as const;
const CERTIFICATE = [
  "--certificate <thumbprint-or-file>",
  "one certificate: its x5t#S256, or a PEM or DER file",
] as const;

/** The commands of `npm run operator --`, with their options and help. */
export function createOperatorCommandLine(run: RunCommand, output: OutputConfiguration): Command {
  const program = new Command("npm run operator --")
    .description("The operator of the bank: blocks and releases TPPs, and says why a certificate was refused")
    .configureOutput(output)
    .showHelpAfterError()
    .exitOverride();
  addStopList(program.command("stop-list").description("TPPs and certificates that are blocked"), run);
  program
    .command("refusal")
    .argument("<request-id>", "X-Request-ID of the refused call")
    .description("every check of the certificate of a refused call")
    .option(...JSON_OPTION)
    .action((requestId: string, { json = false }: Json) =>
      run((call) => explainRefusal(call, requestId, json ? "application/json" : "text/plain"), json),
    );
  return program;
}

function addStopList(stopList: Command, run: RunCommand): void {
  stopList
    .command("list")
    .description("what is blocked now")
    .option("--history", "past blocks too, newest first")
    .option("--limit <number>", "with --history: how many, at most 1000")
    .option(...JSON_OPTION)
    .action((options: Json & { readonly history?: boolean; readonly limit?: string }) =>
      run((call) => listBlocks(call, options), options.json ?? false),
    );
  stopList
    .command("block")
    .description("refuse a TPP or a certificate from this moment on")
    .option(...ORGANISATION)
    .option(...CERTIFICATE)
    .requiredOption("--reason <text>", "why, 1 to 500 characters; kept for ever")
    .option(...JSON_OPTION)
    .action(({ json = false, ...order }: Json & Whom & { readonly reason: string }) =>
      run((call) => block(call, order), json),
    );
  stopList
    .command("release")
    .description("end a block")
    .option(...ORGANISATION)
    .option(...CERTIFICATE)
    .option(...JSON_OPTION)
    .action(({ json = false, ...whom }: Json & Whom) => run((call) => release(call, whom), json));
}
