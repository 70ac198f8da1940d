import { eventually } from "./eventually.ts";
import type { RawAnswer } from "./raw-https.ts";

/** Lines of a log, oldest first, which grow. */
type LogLines = readonly Record<string, unknown>[];

/**
 * An answer, given when a log holds the line of its call: that is written when the answer has gone out, which may be a
 * moment after the caller has it. One without a request id was not given by a service and has no line.
 */
export async function onceLogged(answered: Promise<RawAnswer>, ...logs: LogLines[]): Promise<RawAnswer> {
  const answer = await answered;
  const id = answer.headers["x-request-id"];
  const isItsCall = ({ msg, requestId, callerRequestId }: LogLines[number]) =>
    msg === "call" && [requestId, callerRequestId].includes(id);
  if (id !== undefined) await eventually(() => logs.some((lines) => lines.findLast(isItsCall) !== undefined));
  return answer;
}
