import { isCertificateRefusalCode } from "@cobs/psd2-certificates";
import type { AdmissionRefusal, AdmissionRefusalCode } from "../admission/admission-refusal.ts";

const CHALLENGE = 'Bearer realm="cobs"';

/** What another token would not change: who calls, and as what it is licensed. */
function concernsTppAlone(code: AdmissionRefusalCode): boolean {
  const isBlocked = code === "tpp_blocked" || code === "certificate_blocked";
  return isBlocked || code === "role_missing" || isCertificateRefusalCode(code);
}

/**
 * The value of `WWW-Authenticate` (RFC 6750 section 3). It names an error only where a token that was sent is at fault
 * (section 3.1): a client that reads of one gets itself another token, which helps against no certificate. A call whose
 * token lacks only rights is told the scope.
 */
export function presentChallenge(status: 401 | 403, { code, call }: AdmissionRefusal): string {
  if (!call.tokenWasSent || concernsTppAlone(code)) return CHALLENGE;
  if (status === 401) return `${CHALLENGE}, error="invalid_token"`;
  const scope = call.scope === undefined ? "" : `, scope="${call.scope}"`;
  return `${CHALLENGE}, error="insufficient_scope"${scope}`;
}
