import type { OperatorClients } from "../operator-client.ts";

/** What a command says: the same for programs and for people. */
export interface CommandResult {
  readonly json: string;
  readonly text: string;
  /** What could not be found out beside it. */
  readonly warning?: string;
}

/** Where a command writes that says more than one thing: its output line by line, as fast as it is read, and how far it is. */
export interface Terminal {
  readonly write: (line: string) => Promise<void>;
  readonly tell: (progress: string) => void;
}

/** A command, once it is known what is wanted. Undefined when it has written everything itself. */
export type OperatorCommand = (
  clients: OperatorClients,
  terminal: Terminal,
) => Promise<CommandResult | undefined>;

/** Runs a command with clients of the operator APIs, and prints what it gives. */
export type RunCommand = (command: OperatorCommand, json: boolean) => Promise<void>;

/** What every command knows. */
export interface Json {
  readonly json?: boolean;
}

/** The option of {@link Json}. */
export const JSON_OPTION = [
  "--json",
  "print the answer as JSON, and nothing else, on standard output; an error too, as {error, message, hint}",
] as const;
/** Why something is done. */
export const REASON_OPTION = ["--reason <text>", "1 to 500 characters; kept in the audit log"] as const;
