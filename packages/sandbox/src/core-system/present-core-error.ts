import { ContentRefusal } from "@cobs/cobs-model";
import { BankRefusal, type BankRefusalCode } from "@cobs/resource/sandbox";
import {
  type Answer,
  EDGE_STATUS,
  EdgeRefusal,
  type FailedCall,
  isDatabaseUnavailable,
  type PresentedError,
} from "@cobs/service-edge";
import { MalformedQuestion } from "./read-core-query.ts";

/** Each refusal of the contract, with its status and the title of its kind (RFC 9457). */
const REFUSALS: Readonly<Record<BankRefusalCode, { readonly status: number; readonly title: string }>> = {
  account_unknown: { status: 404, title: "The PSU has no such account" },
  currency_unknown: { status: 400, title: "The account is not kept in this currency" },
  sort_too_large: { status: 400, title: "Too many transactions for this order" },
};

/** Refusals of the rim that the contract has a single code for (clauses 1.4 and 6.5). */
const OF_QUESTION: ReadonlySet<EdgeRefusal["code"]> = new Set<EdgeRefusal["code"]>([
  "body_malformed",
  "body_too_large",
  "media_type_unsupported",
  "header_repeated",
  "path_malformed",
]);

/** Presents an error as problem details with a `code` of the contract. */
export function presentCoreError(error: unknown, { requestId }: FailedCall): PresentedError {
  if (error instanceof BankRefusal) return refuse(error.code);
  // A malformed id in a path is unknown like any other.
  if (error instanceof ContentRefusal && error.faults.some(({ code }) => code === "ID_NOT_FOUND"))
    return refuse("account_unknown");
  if (error instanceof MalformedQuestion || error instanceof ContentRefusal) return refuseQuestion(error);
  if (error instanceof EdgeRefusal && OF_QUESTION.has(error.code)) return refuseQuestion(error);
  if (error instanceof EdgeRefusal) return present({ status: EDGE_STATUS[error.code], title: error.message });
  if (isDatabaseUnavailable(error))
    return withPause(present({ status: 503, title: "Try again later" }, error));
  return present({ status: 500, title: `The call failed; its request id is ${requestId}` }, error);
}

/** The body for bytes that are not an HTTP request. */
export function presentCoreProtocolError(status: number): string {
  return JSON.stringify({ status, title: "not well-formed HTTP" });
}

interface CoreProblem {
  readonly status: number;
  readonly title: string;
  readonly code?: string;
}

function refuse(code: BankRefusalCode): PresentedError {
  return present({ ...REFUSALS[code], code });
}

function refuseQuestion({ message }: Error): PresentedError {
  return present({ status: 400, title: message, code: "request_malformed" });
}

function present(problem: CoreProblem, error?: unknown): PresentedError {
  const content = { type: "application/problem+json", body: JSON.stringify(problem) };
  const answer: Answer = { status: problem.status, content };
  return { answer, logFacts: { refusal: problem.code, ...(error !== undefined && { error }) } };
}

function withPause({ answer, logFacts }: PresentedError): PresentedError {
  return { answer: { ...answer, headers: { "Retry-After": "2" } }, logFacts };
}
