import type { Answer, PresentedError } from "@cobs/service-edge";

/** An error of the enrolment resources as answered: flat, with lower-case codes (COBS PDF 1.4.7, A-20). */
export interface OAuthError {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly headers?: Answer["headers"];
}

// RFC 6749 5.2: printable ASCII without the quotation mark and the backslash.
const OUTSIDE_DESCRIPTION = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;
/** Longer than all the faults that a registration can have at once. */
const MAX_DESCRIPTION = 4_000;

/** Makes the answer for an error; `facts` are only for the log. */
export function presentOAuthErrorAnswer(
  { status, error, description, headers }: OAuthError,
  facts: PresentedError["logFacts"],
): PresentedError {
  const text = description.replace(OUTSIDE_DESCRIPTION, "'").slice(0, MAX_DESCRIPTION);
  const json = { error, error_description: text };
  return { answer: { status, json, ...(headers && { headers }) }, logFacts: facts };
}
