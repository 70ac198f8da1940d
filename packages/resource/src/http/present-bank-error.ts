import { ContentRefusal } from "@cobs/cobs-model";
import {
  BankCallerRefusal,
  EDGE_STATUS,
  EdgeRefusal,
  type FailedCall,
  isDatabaseUnavailable,
  type PresentedError,
  problemAnswer,
} from "@cobs/service-edge";
import { CoreUnavailable, describeCoreFailure } from "../bank/core-unavailable.ts";

type LogFacts = PresentedError["logFacts"];

const RETRY_AFTER_SECONDS = 2;

/** Presents an error of a call by the bank's own services as problem details (RFC 9457): the standard has no path here. */
export function presentBankError(error: unknown, call: FailedCall): PresentedError {
  if (error instanceof BankCallerRefusal)
    return problem(403, error.message, { refusal: error.code, detail: error.detail });
  if (error instanceof EdgeRefusal)
    return problem(EDGE_STATUS[error.code], error.message, { refusal: error.code });
  if (error instanceof ContentRefusal)
    return problem(400, "malformed identifier", { refusal: error.message });
  if (error instanceof CoreUnavailable) {
    const logFacts = { refusal: error.code, ...describeCoreFailure(error), error };
    return unavailable(error.retryAfterSeconds, logFacts);
  }
  if (isDatabaseUnavailable(error))
    return unavailable(RETRY_AFTER_SECONDS, { refusal: "unavailable", error });
  return problem(500, `the call failed; its request id is ${call.requestId}`, { error });
}

/** Writes the body for bytes that are not an HTTP request, as problem details. */
export function presentBankProtocolError(status: number): string {
  return JSON.stringify({ status, title: "not well-formed HTTP" });
}

function unavailable(retryAfterSeconds: number, logFacts: LogFacts): PresentedError {
  return problem(503, "try again later", logFacts, { "Retry-After": String(retryAfterSeconds) });
}

function problem(
  status: number,
  title: string,
  logFacts: LogFacts,
  headers: Readonly<Record<string, string>> = {},
): PresentedError {
  return { answer: { ...problemAnswer({ status, title }), headers }, logFacts };
}
