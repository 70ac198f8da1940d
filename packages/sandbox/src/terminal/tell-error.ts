import { inspect } from "node:util";
import { describeWrongUsage } from "@cobs/service-edge/configuration";
import { writeJson } from "@cobs/service-edge/json";
import { CommanderError } from "commander";
import { FileKept } from "../files/in-turn.ts";
import { isUnwritable } from "../processes/error-codes.ts";
import { CommandRefusal } from "./command-refusal.ts";

const EXIT_USAGE = 2;

/** Why a command failed, for programs: the code of its refusal, or `failed` for an unexpected error. */
interface ToldError {
  readonly error: string;
  readonly message: string;
  readonly hint?: string;
  /** List of errors from a server that refused. */
  readonly errors?: readonly unknown[];
}

/** How a failed command ends. */
interface Ending {
  readonly exitCode: number;
  readonly json: ToldError;
  /** For people; absent if they have already seen it. */
  readonly text?: string;
}

/** Where a command writes. */
export interface Outlet {
  /** Standard output. */
  readonly say: (text: string) => void;
  /** Standard error. */
  readonly complain: (text: string) => void;
}

/** Where the parser of the command line writes; with JSON it does not write errors. */
export function parserOutput({ say, complain }: Outlet, json: boolean) {
  return { writeOut: say, writeErr: json ? () => undefined : complain };
}

/**
 * Reports why a command threw: to programs as one object on standard output, to people on standard error. Gives the exit code:
 * `faultExitCode` for an unexpected error, 0 if the command only printed help.
 */
export function reportError(
  thrown: unknown,
  { say, complain }: Outlet,
  json: boolean,
  faultExitCode = 1,
): number {
  const ending = tellError(thrown, faultExitCode);
  if (ending === undefined) return 0;
  if (json) say(`${writeJson(ending.json)}\n`);
  else complain(ending.text ?? "");
  return ending.exitCode;
}

function tellError(thrown: unknown, faultExitCode: number): Ending | undefined {
  if (thrown instanceof CommanderError)
    return thrown.exitCode === 0 ? undefined : { exitCode: EXIT_USAGE, json: describeWrongUsage(thrown) };
  if (!(thrown instanceof CommandRefusal)) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const isExpected = isUnwritable(thrown) || thrown instanceof FileKept;
    const text = `${isExpected ? message : inspect(thrown)}\n`;
    return { exitCode: faultExitCode, json: { error: "failed", message }, text };
  }
  const { code, exitCode, message, hint, errors } = thrown;
  return {
    exitCode,
    json: { error: code, message, ...(hint !== undefined && { hint }), ...(errors && { errors }) },
    text: `${message}\n${hint === undefined ? "" : `${hint}\n`}`,
  };
}
