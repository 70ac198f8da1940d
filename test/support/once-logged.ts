import { eventually } from "./eventually.ts";
import type { RawAnswer } from "./raw-https.ts";

/** Lines of a growing log, oldest first. */
type LogLines = readonly Record<string, unknown>[];

/**
 * Waits until a log holds the line of an answered call, then returns the answer: the line is written once the answer has gone
 * out, possibly a moment after the caller has it. An answer without a request id did not come from a service and has no line.
 */
export async function onceLogged(answered: Promise<RawAnswer>, ...logs: LogLines[]): Promise<RawAnswer> {
  const answer = await answered;
  const id = answer.headers["x-request-id"];
  const isItsCall = ({ msg, requestId, callerRequestId }: LogLines[number]) =>
    msg === "call" && [requestId, callerRequestId].includes(id);
  if (id !== undefined) await eventually(() => logs.some((lines) => lines.findLast(isItsCall) !== undefined));
  return answer;
}
