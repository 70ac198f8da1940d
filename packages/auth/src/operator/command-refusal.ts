import { presentFields } from "./commands/present-table.ts";

/**
 * Why the operator's command ends without what was asked:
 * - `usage`: the command line, or a file that it names, is not right
 * - `refused`: a service refused; the message holds its own words
 * - `not_found`: the same, because there is nothing of the kind
 * - `unreachable`: a service does not answer or cannot now, or the two do not believe each other's certificates
 * - `broken`: a service has answered, and what it tells is an alarm: the chain of the audit log is not intact, or its export not whole
 */
export type CommandRefusalCode = "usage" | "refused" | "not_found" | "unreachable" | "broken";

/** Exit codes of the command; 0 is success, 1 a fault of its own. */
export const EXIT_CODES: Readonly<Record<CommandRefusalCode | "configuration", number>> = {
  usage: 2,
  refused: 3,
  not_found: 3,
  unreachable: 4,
  broken: 5,
  configuration: 78,
};

/** What a refusal tells beside its message. */
interface RefusalDetails {
  /** What to do about it. */
  readonly hint?: string;
  /** An answer of a service that is the bad news itself, for programs member by member. */
  readonly answer?: object;
}

/** A command that ends without what was asked; message and hint are for the person at the terminal. */
export class CommandRefusal extends Error {
  override readonly name = "CommandRefusal";
  readonly code: CommandRefusalCode;
  readonly hint: string | undefined;
  readonly answer: object | undefined;

  constructor(code: CommandRefusalCode, message: string, { hint, answer }: RefusalDetails = {}) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.answer = answer;
  }
}

/** A refusal for the person at the terminal, with all that it tells. */
export function describeRefusal({ message, hint, answer }: CommandRefusal): string {
  const parts = [message, answer && presentFields(answer), hint];
  return parts.filter((part) => part !== undefined).join("\n");
}
