import type { CertificateRefusalCode } from "./certificate-refusal.ts";

const sentences: Readonly<Record<CertificateRefusalCode, string>> = {
  certificate_absent:
    "Present your qualified website authentication certificate (QWAC) in the TLS handshake.",
  certificate_malformed: "The certificate cannot be read. Send one DER-encoded X.509 certificate.",
  chain_untrusted:
    "The certificate was not issued by a trust service that is accepted here. Send the certificate of the issuing authority too.",
  certificate_not_yet_valid: "The certificate is not valid yet.",
  certificate_expired:
    "The certificate has expired. Present a renewed one; nothing has to be registered again.",
  signature_weak: "The certificate is signed with an algorithm that is no longer accepted.",
  key_weak:
    "The key of the certificate is not accepted. Use RSA of 2048 to 8192 bits, P-256, P-384, P-521, Ed25519 or Ed448.",
  extension_unsupported: "The certificate has a critical extension that is not supported.",
  not_qualified: "The certificate does not state that it is an EU qualified certificate.",
  qc_type_not_web:
    "The certificate is not a QWAC. A certificate for seals or signatures cannot be used here.",
  purpose_not_client: "The certificate does not permit TLS client authentication.",
  psd2_statement_missing: "The certificate has no PSD2 statement (ETSI TS 119 495).",
  psd2_statement_malformed: "The PSD2 statement of the certificate is not well formed (ETSI TS 119 495).",
  role_unknown: "The PSD2 statement of the certificate contains an unknown role.",
  role_name_mismatch:
    "The PSD2 statement of the certificate contains a role whose name and identifier do not match.",
  organisation_identifier_missing: "The subject of the certificate has no organizationIdentifier.",
  organisation_identifier_malformed:
    "The organizationIdentifier of the certificate is not of the form PSDcc-AUTHORITY-number.",
  organisation_identifier_unsupported:
    "The organizationIdentifier of the certificate is not a PSD2 authorisation number. Ask the bank for manual onboarding.",
  organisation_name_missing: "The subject of the certificate must have exactly one organizationName.",
  authority_mismatch:
    "The organizationIdentifier and the PSD2 statement of the certificate name different competent authorities.",
  no_tpp_role: "The certificate contains no TPP role (PSP_AI, PSP_PI or PSP_IC).",
  revocation_source_missing:
    "The certificate names neither an OCSP responder nor a CRL, so its revocation cannot be checked.",
  certificate_revoked: "The certificate has been revoked by its issuer. Present a valid one.",
};

/** Returns the sentence that a TPP may read about a refusal; it contains nothing that was configured or presented. */
export function describeForTpp(code: CertificateRefusalCode): string {
  return sentences[code];
}
