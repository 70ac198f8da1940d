import type { AdmissionRefusal } from "../admission/admission-refusal.ts";

const CHALLENGE = 'Bearer realm="cobs"';

/**
 * The value of `WWW-Authenticate` (RFC 6750 section 3). Without a token in the call it names no error, because nothing
 * was wrong with one; a call that lacks only rights is told the scope.
 */
export function presentChallenge(status: 401 | 403, { call }: AdmissionRefusal): string {
  if (!call.tokenWasSent) return CHALLENGE;
  if (status === 401) return `${CHALLENGE}, error="invalid_token"`;
  const scope = call.scope === undefined ? "" : `, scope="${call.scope}"`;
  return `${CHALLENGE}, error="insufficient_scope"${scope}`;
}
