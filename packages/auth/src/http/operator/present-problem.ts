/** The one mapping from thrown errors to the problem details of operator paths (RFC 9457), never for paths of the standard. */
import {
  BankCallerRefusal,
  EDGE_STATUS,
  EdgeRefusal,
  type FailedCall,
  isDatabaseUnavailable,
  type PresentedError,
  PrivateServiceUnavailable,
  type Problem,
  problemAnswer,
} from "@cobs/service-edge";
import { OperatorRefusal, type OperatorRefusalCode } from "../../operator-api/operator-refusal.ts";

const RETRY_AFTER_SECONDS = "3";

const OPERATOR_PROBLEMS: Readonly<Record<OperatorRefusalCode, readonly [status: number, title: string]>> = {
  order_malformed: [400, "The request is invalid"],
  unknown: [404, "Not found"],
  not_blocked: [404, "Not blocked"],
  psu_blocked: [409, "The PSU is blocked"],
  other_account: [409, "The consent in force is for another account"],
  blocked_by_register: [409, "Blocked by the TPP register"],
  list_full: [409, "The stop list is full"],
  already_announced: [409, "The next key is already announced"],
  not_archivable: [409, "Not archivable"],
  key_not_in_use: [404, "No such key is in use"],
};

interface DescribedProblem {
  readonly problem: Problem;
  readonly headers?: Readonly<Record<string, string>>;
  readonly logFacts: PresentedError["logFacts"];
}

function ofEdge({ code, message }: EdgeRefusal): DescribedProblem {
  const problem = { status: EDGE_STATUS[code], title: "The request is not accepted", detail: message };
  return { problem, logFacts: { refusal: code } };
}

function ofCaller({ code, message, detail }: BankCallerRefusal): DescribedProblem {
  const problem = { status: 403, title: "Not allowed", detail: message };
  return { problem, logFacts: { refusal: code, detail } };
}

function ofOperator({ code, message }: OperatorRefusal): DescribedProblem {
  const [status, title] = OPERATOR_PROBLEMS[code];
  return { problem: { status, title, detail: message }, logFacts: { refusal: code } };
}

function describe(error: unknown, requestId: string): DescribedProblem {
  if (error instanceof EdgeRefusal) return ofEdge(error);
  if (error instanceof BankCallerRefusal) return ofCaller(error);
  if (error instanceof OperatorRefusal) return ofOperator(error);
  const logFacts = { error };
  if (isDatabaseUnavailable(error) || error instanceof PrivateServiceUnavailable) {
    const problem = { status: 503, title: "Try again in a moment" };
    return { problem, headers: { "Retry-After": RETRY_AFTER_SECONDS }, logFacts };
  }
  return { problem: { status: 500, title: "The server failed", detail: `request ${requestId}` }, logFacts };
}

/** Presents anything thrown on an operator path; anything but a refusal is a 500 with the request id and nothing else. */
export function presentProblem(error: unknown, call: FailedCall): PresentedError {
  const { problem, headers, logFacts } = describe(error, call.requestId);
  return { answer: { ...problemAnswer(problem), ...(headers && { headers }) }, logFacts };
}
