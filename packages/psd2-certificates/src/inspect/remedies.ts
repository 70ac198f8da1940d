import type { CheckName } from "../certificate-check.ts";
import type { CertificateRefusalCode } from "../certificate-refusal.ts";

const reissue = "Ask the trust service provider for a new certificate";

/** What must change, for each code. */
const remedies: Readonly<Record<CertificateRefusalCode, string>> = {
  certificate_absent:
    "Configure the TLS client with the QWAC and its private key, and check that it sends them to this host and port.",
  certificate_malformed:
    "Present the certificate as the trust service provider delivered it, as DER or one PEM block. If you already did, ask the provider to reissue it in DER according to RFC 5280.",
  chain_untrusted:
    "Send the certificates of the issuing authorities together with the certificate, up to but without the root. If they were sent, this bank does not trust the issuer: use a QWAC of a service with the status granted in the EU trusted lists, or, in the sandbox, a certificate of the sandbox's authority.",
  certificate_not_yet_valid:
    "Present the previous certificate until this one becomes valid. If it should be valid by now, check the clock of the machine that checks it.",
  certificate_expired:
    "Present a renewed certificate with the same organisation identifier. Applications need no new registration.",
  signature_weak: `${reissue} that is signed with SHA-256 or stronger: RSA (PKCS #1 v1.5 or PSS), ECDSA or EdDSA.`,
  key_weak: `Make a new key, RSA of 2048 to 8192 bits or elliptic on the named curve P-256, P-384 or P-521 (or Ed25519, Ed448), and ask the trust service provider for a certificate for it.`,
  extension_unsupported: `${reissue} in which this extension is not critical.`,
  not_qualified: `${reissue} with a QcCompliance statement (0.4.0.1862.1.1) and without a QcCClegislation statement: an EU qualified certificate.`,
  qc_type_not_web:
    "Use the QWAC for TLS and keep a QSealC for signing. If this is meant to be a QWAC, ask the trust service provider for a QcType statement of exactly one value, web (0.4.0.1862.1.6.3).",
  purpose_not_client: `${reissue} for an end entity with clientAuth (1.3.6.1.5.5.7.3.2) in extKeyUsage and digitalSignature in keyUsage. Request both clientAuth and serverAuth.`,
  psd2_statement_missing: `${reissue} of the PSD2 profile: qcStatements with the statement 0.4.0.19495.2. An ordinary QWAC or web server certificate is not enough.`,
  psd2_statement_malformed: `${reissue} whose PSD2 statement follows annex A of ETSI TS 119 495: each role a SEQUENCE of its own with identifier and name, then nCAName, then nCAId such as CZ-CNB, all texts UTF8String of 1 to 256 characters, no statement twice.`,
  role_unknown: `${reissue} with only the roles of ETSI TS 119 495: PSP_AS, PSP_PI, PSP_AI and PSP_IC are 0.4.0.19495.1.1 to .4.`,
  role_name_mismatch: `${reissue} in which the name of each role matches its identifier: .1 PSP_AS, .2 PSP_PI, .3 PSP_AI, .4 PSP_IC, in capitals.`,
  organisation_identifier_missing: `${reissue} whose subject has an organizationIdentifier (2.5.4.97), for instance PSDCZ-CNB-63492555.`,
  organisation_identifier_malformed: `${reissue} whose subject has exactly one organizationIdentifier of the form PSDcc-AUTHORITY-number: capital letters up to the second hyphen, no invisible characters, no space other than U+0020, and none at either end.`,
  organisation_identifier_unsupported:
    "Ask the trust service provider for a certificate with the PSD2 authorisation number (PSDcc-AUTHORITY-number), or ask the bank for manual onboarding.",
  organisation_name_missing: `${reissue} whose subject has exactly one organizationName of 1 to 256 characters, some of them visible, without line breaks or marks that change the direction of text.`,
  authority_mismatch: `${reissue} in which the organisation identifier and nCAId name the same country and authority, those of the licence.`,
  no_tpp_role:
    "Have the competent authority confirm the licence for PSP_AI, PSP_PI or PSP_IC, and the trust service provider put it into a new certificate. PSP_AS alone is the role of a bank that keeps accounts.",
  revocation_source_missing: `${reissue} that names an OCSP responder (authorityInfoAccess) or a CRL (cRLDistributionPoints), with an http or https URL.`,
  certificate_revoked:
    "Present another certificate with the same organisation identifier. If the revocation is a mistake, only the trust service provider can end a hold; every other reason is final.",
};

/** Remedies for codes that come from several checks with different remedies. */
const remediesOfChecks: Partial<Readonly<Record<CheckName, Partial<typeof remedies>>>> = {
  path_in_time: {
    chain_untrusted:
      "An authority above the certificate, or its entry in the trusted list, is not valid at this time or was not when the certificate was issued. Ask the trust service provider for a certificate under its current authority, and ask the bank whether its trust anchors are up to date.",
  },
  tls_verdict: {
    chain_untrusted:
      "OpenSSL refused the certificate in the handshake. If no other check fails here, send the certificates of the issuing authorities too, compare the extensions with RFC 5280, and tell the bank the OpenSSL code.",
  },
};

/** Returns what must change so that this check passes. */
export function remedyFor(check: CheckName, code: CertificateRefusalCode): string {
  return remediesOfChecks[check]?.[code] ?? remedies[code];
}
