import { presentFields } from "./commands/present-table.ts";

/**
 * Reasons why the operator's command fails:
 * - `usage`: the command line, or a file that it names, is wrong
 * - `refused`: a service refused; the message has its own words
 * - `not_found`: a service refused because nothing was found
 * - `unreachable`: a service does not answer or cannot now, or one side does not trust the other's certificate
 * - `broken`: a service answered with an alarm: the chain of the audit log is broken, or its export incomplete
 */
export type CommandRefusalCode = "usage" | "refused" | "not_found" | "unreachable" | "broken";

/** Exit codes of the command; 0 is success, 1 an internal fault. */
export const EXIT_CODES: Readonly<Record<CommandRefusalCode | "configuration", number>> = {
  usage: 2,
  refused: 3,
  not_found: 3,
  unreachable: 4,
  broken: 5,
  configuration: 78,
};

/** What a refusal says besides its message. */
interface RefusalDetails {
  /** What to do about it. */
  readonly hint?: string;
  /** The service's answer that is itself the bad news, for programs to read member by member. */
  readonly answer?: object;
}

/** A failure of the command; message and hint are for the person at the terminal. */
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

/** Formats a refusal, with its answer and hint, for the person at the terminal. */
export function describeRefusal({ message, hint, answer }: CommandRefusal): string {
  const parts = [message, answer && presentFields(answer), hint];
  return parts.filter((part) => part !== undefined).join("\n");
}
