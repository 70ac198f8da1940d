import {
  type CertificateReport,
  inspectCertificate,
  presentReport,
  type RevocationStanding,
  type TrustAnchors,
} from "@cobs/psd2-certificates";
import type { RefusedCertificate, RefusedCertificates } from "@cobs/service-edge";
import type { TppRefusalCode } from "../tpp/tpp-refusal.ts";

/** A refusal that was kept, and every check of its certificate. */
export interface ExplainedRefusal {
  readonly refused: RefusedCertificate;
  /** Judged for the time of the refusal, against the anchors that are in force now. */
  readonly report: CertificateReport;
}

/** The refused calls of a request id, ours or the caller's own, newest first; none when nothing is kept of them. */
export type ExplainRefusals = (requestId: string) => Promise<readonly ExplainedRefusal[]>;

/** Ours are UUIDs; a caller's own name of a call has these letters, or was not kept. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,60}$/;

/** What the call found out about revocation is believed: a report asks nobody. */
function standingOf({ code, detail }: RefusedCertificate): RevocationStanding {
  return code === "certificate_revoked" || code === "revocation_source_missing"
    ? { kind: "refused", code, detail }
    : { kind: "not_asked" };
}

/** Explains refusals that are looked up in a store. */
export function createRefusalExplanation(
  refusedCertificates: Pick<RefusedCertificates, "find">,
  anchors: () => TrustAnchors,
): ExplainRefusals {
  return async (requestId) => {
    if (!REQUEST_ID.test(requestId)) return [];
    return (await refusedCertificates.find(requestId)).map((refused) => {
      const circumstances = { anchors: anchors(), now: refused.at, revocation: standingOf(refused) };
      return { refused, report: inspectCertificate(refused.presented, circumstances) };
    });
  };
}

/** Explained refusals for programs. */
export function presentRefusals(explained: readonly ExplainedRefusal[]) {
  const refusals = explained.map(({ refused, report }) => ({
    requestId: refused.requestId,
    callerRequestId: refused.callerRequestId ?? null,
    at: refused.at.toISOString(),
    code: refused.code,
    detail: refused.detail,
    report,
  }));
  return { refusals };
}

/** Explained refusals for people. */
export function presentRefusalsText(explained: readonly ExplainedRefusal[]): string {
  return explained.map(presentText).join("\n");
}

const BLOCKED = "The certificate is good; the stop list refused it.\n";
const NOT_CONFIRMED = "The certificate is good; the second reader did not confirm it.\n";
const NOTES: ReadonlyMap<string, string> = new Map<TppRefusalCode, string>([
  ["tpp_blocked", BLOCKED],
  ["certificate_blocked", BLOCKED],
  ["second_reader_disagrees", NOT_CONFIRMED],
  ["second_reader_failed", NOT_CONFIRMED],
]);

function presentText({ refused, report }: ExplainedRefusal): string {
  const { requestId, callerRequestId, at, code } = refused;
  const named = callerRequestId === undefined ? "" : `, which the caller named ${callerRequestId}`;
  const head = `Request ${requestId}${named}\nrefused at ${at.toISOString()} with ${code}\n`;
  const note = NOTES.get(code) ?? "";
  return `${head}${note}\n${presentReport(report)}`;
}
