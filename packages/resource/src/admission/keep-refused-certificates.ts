import type { CertificateParts } from "@cobs/service-edge";
import type { AdmissionRefusal } from "./admission-refusal.ts";
import type { Attempt } from "./attempt.ts";

/**
 * Counts each call that is refused because of its certificate, and records the certificate for an operator who asks for the
 * reason.
 */
export function keepRefusedCertificates({
  metrics,
  refusals,
}: Pick<CertificateParts, "metrics" | "refusals">) {
  return ({ call, now }: Attempt, { code, detail }: AdmissionRefusal): void => {
    metrics.refused(code);
    const { requestId, callerRequestId, presentedCertificate: presented } = call;
    if (presented === undefined) return;
    refusals.record({ requestId, callerRequestId, at: now, code, detail, presented });
  };
}
