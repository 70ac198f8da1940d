import { inspect } from "node:util";
import { CommanderError } from "commander";
import { explainError } from "./explain-error.ts";
import { EXIT_CODES, TppRefusal } from "./tpp-refusal.ts";

/** Why a command gave nothing, for programs: `failed` is a fault of the command line itself. */
export interface ToldError {
  readonly error: TppRefusal["code"] | "failed";
  readonly message: string;
  readonly hint?: string;
}

/** What a command ends with that did not do what was asked. */
export interface Ending {
  readonly exitCode: number;
  readonly json: ToldError;
  /** For people; absent where they have been told already. */
  readonly text?: string;
}

/** Says how a command ends that threw; undefined where it only gave the help that was asked for. */
export async function tellError(thrown: unknown): Promise<Ending | undefined> {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? undefined : wrongUsage(thrown);
  const error = await explainError(thrown);
  if (!(error instanceof TppRefusal)) {
    const message = error instanceof Error ? error.message : String(error);
    return { exitCode: 1, json: { error: "failed", message }, text: `${inspect(error)}\n` };
  }
  const { code, message, hint } = error;
  return {
    exitCode: EXIT_CODES[code],
    json: { error: code, message, ...(hint !== undefined && { hint }) },
    text: `${message}\n${hint === undefined ? "" : `${hint}\n`}`,
  };
}

/** People have been told by the parser of the words itself, which gives its whole help where no command was named. */
function wrongUsage({ code, message: told }: CommanderError): Ending {
  const message = code === "commander.help" ? "no command was named" : told.replace(/^error: /, "");
  return { exitCode: EXIT_CODES.usage, json: { error: "usage", message, hint: "See --help." } };
}
