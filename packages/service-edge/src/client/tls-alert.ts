/** How Node.js names a fault that is an alert of the other side; OpenSSL calls the protocol by several names. */
const ALERT = /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13|SSL\/TLS)_ALERT_([A-Z_]{1,40})$/;

/** Table: what alerts of RFC 8446 section 6.2 say of a caller's certificate. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["unknown_ca", "it does not trust the authority of our certificate"],
  ["bad_certificate", "it does not accept our certificate"],
  ["unsupported_certificate", "it does not accept the kind of our certificate"],
  ["certificate_revoked", "our certificate is revoked"],
  ["certificate_expired", "our certificate has expired, or is not valid yet"],
  ["certificate_unknown", "it does not accept our certificate"],
  ["certificate_required", "it demands a certificate"],
  ["access_denied", "it does not admit the holder of our certificate"],
  ["handshake_failure", "it demands a certificate, or has no parameters in common"],
  ["decrypt_error", "the signature of our certificate or handshake is wrong"],
]);

/**
 * Says with which alert the other side refused TLS, and what that means, for the operator's log; undefined if an error is
 * anything else. In TLS 1.3 the refusal of our certificate arrives when this side has already sent its request.
 */
export function describeTlsAlert(cause: unknown): string | undefined {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const name = typeof code === "string" ? ALERT.exec(code)?.[1]?.toLowerCase() : undefined;
  if (name === undefined) return undefined;
  const meaning = MEANINGS.get(name);
  return `it refused TLS with the alert ${name}${meaning === undefined ? "" : `: ${meaning}`}`;
}
