import { isCertificateRefusalCode } from "@cobs/psd2-certificates";
import type { AdmissionRefusal, AdmissionRefusalCode } from "../admission/admission-refusal.ts";

const CHALLENGE = 'Bearer realm="cobs"';

/** Whether another token would not help: the refusal concerns the caller itself, or its licence. */
function concernsTppAlone(code: AdmissionRefusalCode): boolean {
  const isBlocked = code === "tpp_blocked" || code === "certificate_blocked";
  return isBlocked || code === "role_missing" || isCertificateRefusalCode(code);
}

/**
 * Writes the value of `WWW-Authenticate` (RFC 6750 section 3). It names an error only if a token was sent and is at fault
 * (section 3.1): a client that reads of such an error gets itself another token, which does not help against a refused
 * certificate. If the token only lacks rights, the value names the scope.
 */
export function presentChallenge(status: 401 | 403, { code, call }: AdmissionRefusal): string {
  if (!call.tokenWasSent || concernsTppAlone(code)) return CHALLENGE;
  if (status === 401) return `${CHALLENGE}, error="invalid_token"`;
  const scope = call.scope === undefined ? "" : `, scope="${call.scope}"`;
  return `${CHALLENGE}, error="insufficient_scope"${scope}`;
}
