import type { Answer, IncomingCall } from "../http/call.ts";
import { isNameOfCall } from "../http/call-record.ts";
import { problemAnswer } from "../http/problem-details.ts";
import type { RefusedCertificate, RefusedCertificates } from "./refused-certificates.ts";

/** Report on every check of a refused certificate, made again. */
export interface RefusalReport {
  /** Whether the certificate itself has no fault, so that it was refused for another reason. */
  readonly accepted: boolean;
  /** The report as JSON, for programs. */
  readonly report: unknown;
  /** The report as text, for people. */
  readonly text: string;
}

/** Answers an operator who asks why a certificate was refused, by the `requestId` in the path. */
export type AnswerRefusals = (call: IncomingCall) => Promise<Answer>;

const PLAIN_TEXT = /^text\/plain\b/i;

/**
 * Answers `GET /operator/refusals/{requestId}`: the refused calls with this request id, ours or the caller's own, newest
 * first, as JSON or, if `text/plain` is requested, as text. 404 as problem details if none is kept. The caller has already
 * been proven to be an operator.
 */
export function createRefusalAnswers(
  refusals: Pick<RefusedCertificates, "find">,
  examine: (refused: RefusedCertificate) => RefusalReport,
): AnswerRefusals {
  return async (call) => {
    const { requestId = "" } = call.parameters;
    const found = isNameOfCall(requestId) ? await refusals.find(requestId) : [];
    if (found.length === 0) return UNKNOWN_REQUEST;
    if (PLAIN_TEXT.test(call.header("accept") ?? "")) {
      const body = found.map((refused) => presentText(refused, examine(refused))).join("\n");
      return { status: 200, content: { type: "text/plain; charset=utf-8", body } };
    }
    return { status: 200, json: { refusals: found.map((refused) => present(refused, examine(refused))) } };
  };
}

const UNKNOWN_REQUEST = problemAnswer({
  status: 404,
  title: "No refused certificate is stored under this request id",
  detail:
    "They are stored a moment after the call and kept for 30 days: the newest 10,000, and only some of a flood.",
});

function present(refused: RefusedCertificate, { report }: RefusalReport) {
  const { requestId, callerRequestId = null, at, code, detail } = refused;
  return { requestId, callerRequestId, at: at.toISOString(), code, detail, report };
}

function presentText(refused: RefusedCertificate, { accepted, text }: RefusalReport): string {
  const { requestId, callerRequestId, at, code, detail } = refused;
  const named = callerRequestId === undefined ? "" : `, sent with X-Request-ID ${callerRequestId}`;
  const head = `Request ${requestId}${named}\nrefused at ${at.toISOString()} with ${code}: ${detail}\n`;
  const note = accepted ? "The certificate itself passes every check with the current trust anchors.\n" : "";
  return `${head}${note}\n${text}`;
}
