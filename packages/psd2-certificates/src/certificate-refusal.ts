/**
 * Every reason for which a certificate is refused, in the words of this package.
 *
 * Owns the closed list of codes and the error that carries one. What a TPP may read is in `describe-for-tpp.ts`; `detail` is
 * only for the bank's log. `certificate-checks.ts` decides which code is reported when several apply.
 */

/** Each refusal code with its meaning and the clause that requires it. */
export const certificateRefusalMeanings = {
  /** No certificate came with the call (RTS (EU) 2018/389 Article 34(1)). */
  certificate_absent: "no certificate was presented",
  /** Not a single X.509 version 3 certificate in strict DER, within the size limits (RFC 5280 4.1). */
  certificate_malformed: "the bytes are not a well-formed X.509 certificate",
  /** No path to a trust anchor that was valid at issue and is valid now, or TLS refused it (RFC 5280 6.1). */
  chain_untrusted: "no valid path leads to a configured trust anchor",
  /** The time is before notBefore (RFC 5280 4.1.2.5). */
  certificate_not_yet_valid: "the certificate is not valid yet",
  /** The time is after notAfter (RFC 5280 4.1.2.5). */
  certificate_expired: "the certificate has expired",
  /** Signed with an algorithm that is not on the list of strong ones (ETSI TS 119 312). */
  signature_weak: "the signature algorithm of the certificate is not accepted",
  /** Key of an unsupported kind, or too short (ETSI TS 119 312). */
  key_weak: "the public key of the certificate is not accepted",
  /** A critical extension that is not processed here (RFC 5280 4.2), critical qcStatements included. */
  extension_unsupported: "the certificate has a critical extension that is not supported",
  /** QcCompliance is missing, or another country's legislation is named (ETSI EN 319 412-5 4.2.1, 4.2.4). */
  not_qualified: "the certificate does not say that it is qualified under the law of the EU",
  /** QcType is not exactly one value, website authentication (ETSI EN 319 412-5 4.2.3). */
  qc_type_not_web: "the certificate is not for website authentication alone (QWAC)",
  /** No clientAuth, no digitalSignature, or a certificate of an authority (RFC 5280 4.2.1.3, 4.2.1.9, 4.2.1.12). */
  purpose_not_client: "the certificate may not be used by a TLS client",
  /** No qcStatements extension, or no PSD2 statement in it (ETSI TS 119 495 5.1). */
  psd2_statement_missing: "the certificate has no PSD2 statement",
  /** The statements do not match the ASN.1 module (ETSI TS 119 495 5.1, 5.2.2, 5.2.3, annex A). */
  psd2_statement_malformed: "the PSD2 statement is not well formed",
  /** A role identifier that the standard does not list (ETSI TS 119 495 GEN-5.2.2-2). */
  role_unknown: "the PSD2 statement contains an unknown role",
  /** A role identifier under the name of another role (ETSI TS 119 495 GEN-5.2.2-3). */
  role_name_mismatch: "the name and the identifier of a role do not match",
  /** No organizationIdentifier in the subject (ETSI TS 119 495 GEN-5.2.1-3). */
  organisation_identifier_missing: "the subject has no organisation identifier",
  /** More than one, or not `PSDcc-NCA-number` (ETSI TS 119 495 GEN-5.2.1-3). */
  organisation_identifier_malformed: "the organisation identifier is not well formed",
  /** Another legal form of ETSI EN 319 412-1 5.1.4 (VAT, NTR, LEI, national), which needs manual onboarding. */
  organisation_identifier_unsupported: "the organisation identifier is not a PSD2 authorisation number",
  /** Not exactly one readable organizationName in the subject (ETSI EN 319 412-3 4.2.1). */
  organisation_name_missing: "the subject has no single readable organisation name",
  /** Country and authority of the identifier differ from nCAId (ETSI TS 119 495 5.2.1, 5.2.3). */
  authority_mismatch: "the organisation identifier and the PSD2 statement name different authorities",
  /** Only PSP_AS or `Unspecified`: an account servicer alone is not a third party (PSD2 Articles 65 to 67). */
  no_tpp_role: "the PSD2 statement contains no TPP role",
  /** A certificate of the path names no OCSP responder and no CRL (ETSI EN 319 412-2 4.4.1, 4.3.11). */
  revocation_source_missing: "the certificate names no OCSP responder and no CRL",
  /** The certificate or an authority above it was revoked or put on hold by its issuer (RFC 5280 6.3.3, RFC 6960 2.2). */
  certificate_revoked: "the certificate has been revoked by its issuer",
} as const;

/** A reason for which a certificate is refused: one key of {@link certificateRefusalMeanings}. */
export type CertificateRefusalCode = keyof typeof certificateRefusalMeanings;

/** Whether a text is one of the codes. */
export function isCertificateRefusalCode(text: string): text is CertificateRefusalCode {
  return Object.hasOwn(certificateRefusalMeanings, text);
}

const detailLimitCharacters = 300;

/** An expected refusal of a certificate: `code` for programs, `detail` only for the bank's log. */
export class CertificateRefusal extends Error {
  readonly code: CertificateRefusalCode;
  readonly detail: string;

  constructor(code: CertificateRefusalCode, detail: string) {
    super(code);
    this.name = "CertificateRefusal";
    this.code = code;
    this.detail = printable(detail);
  }
}

/**
 * Removes control characters, with which a stranger who chooses parts of the detail could forge log lines. Copying matters
 * too: a slice keeps the whole text alive as long as the refusal is remembered.
 */
function printable(detail: string): string {
  const start = Buffer.from(detail.slice(0, detailLimitCharacters)).toString();
  return start.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
