import type { PresentedCertificate } from "../presented-certificate.ts";
import { standingOfRefusal } from "../revocation/revocation-standing.ts";
import type { TrustAnchors } from "../trust-anchors.ts";
import { inspectCertificate } from "./inspect-certificate.ts";
import { presentReport } from "./present-report.ts";

/** A certificate that was refused, when, and why. */
export interface RefusedPresentation {
  readonly presented: PresentedCertificate;
  readonly at: Date;
  readonly code: string;
  readonly detail: string;
}

/**
 * Explains a refusal to programs and to people. The certificate is judged at the time of the refusal, but against the anchors
 * in force now. What the call found out about revocation is taken over; no source is asked again.
 */
export function explainRefused(refused: RefusedPresentation, anchors: TrustAnchors) {
  const circumstances = { anchors, now: refused.at, revocation: standingOfRefusal(refused) };
  const report = inspectCertificate(refused.presented, circumstances);
  return { accepted: report.accepted, report, text: presentReport(report) };
}
