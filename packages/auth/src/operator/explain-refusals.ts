import {
  inspectCertificate,
  presentReport,
  standingOfRefusal,
  type TrustAnchors,
} from "@cobs/psd2-certificates";
import { type AnswerRefusals, createRefusalAnswers, type RefusedCertificates } from "@cobs/service-edge";

/**
 * Explains refused certificates: judged for the time of the refusal, against the anchors that are in force now. What the
 * call found out about revocation is believed, nobody is asked again.
 */
export function createRefusalExplanation(
  refusals: Pick<RefusedCertificates, "find">,
  anchors: () => TrustAnchors,
): AnswerRefusals {
  return createRefusalAnswers(refusals, (refused) => {
    const circumstances = { anchors: anchors(), now: refused.at, revocation: standingOfRefusal(refused) };
    const report = inspectCertificate(refused.presented, circumstances);
    return { accepted: report.accepted, report, text: presentReport(report) };
  });
}
