import type { OperatorClients } from "../operator-client.ts";

/** Output of a command, the same for programs and for people. */
export interface CommandResult {
  readonly json: string;
  readonly text: string;
  /** What could not be found out besides the answer. */
  readonly warning?: string;
}

/**
 * Terminal of a command that prints more than one answer: `write` prints a line at the reader's pace, `tell` reports progress.
 */
export interface Terminal {
  readonly write: (line: string) => Promise<void>;
  readonly tell: (progress: string) => void;
}

/** A parsed command, ready to run. Gives undefined when it has written its whole output itself. */
export type OperatorCommand = (
  clients: OperatorClients,
  terminal: Terminal,
) => Promise<CommandResult | undefined>;

/** Runs a command with clients of the operator APIs, and prints its result. */
export type RunCommand = (command: OperatorCommand, json: boolean) => Promise<void>;

/** Options of every command. */
export interface Json {
  readonly json?: boolean;
}

/** The command-line option of {@link Json}. */
export const JSON_OPTION = [
  "--json",
  "print the answer as JSON, and nothing else, on standard output; an error too, as {error, message, hint}",
] as const;
/** Option for the operator's reason. */
export const REASON_OPTION = ["--reason <text>", "1 to 500 characters; kept in the audit log"] as const;
