/**
 * Verifies an eIDAS certificate, and returns the PSD2 third party that it names.
 *
 * Owns the reading of certificates, the path to a trust anchor, the PSD2 profile and the reasons of refusal. It knows no HTTP,
 * no database, no environment and no clock: bytes, anchors and the time come in as values. It opens no connection: it asks
 * about revocation through a function passed in.
 */
export type { CheckName } from "./certificate-check.ts";
export {
  CertificateRefusal,
  type CertificateRefusalCode,
  certificateRefusalMeanings,
  isCertificateRefusalCode,
} from "./certificate-refusal.ts";
export {
  type CertificateThumbprint,
  parseCertificateThumbprint,
  thumbprintOf,
} from "./certificate-thumbprint.ts";
export {
  type CertificateVerifier,
  type CertificateVerifierOptions,
  createCertificateVerifier,
} from "./certificate-verifier.ts";
export type { CacheCount, CountCache } from "./count-cache.ts";
export { describeForTpp } from "./describe-for-tpp.ts";
export type {
  CertificateFacts,
  CertificateReport,
  CheckReport,
} from "./inspect/certificate-report.ts";
export { explainRefused, type RefusedPresentation } from "./inspect/explain-refused.ts";
export { type InspectionOptions, inspectCertificate } from "./inspect/inspect-certificate.ts";
export { presentReport } from "./inspect/present-report.ts";
export { CertificateFileError, readCertificateFile } from "./inspect/read-certificate-file.ts";
export {
  authorityOf,
  type OrganisationIdentifier,
  parseOrganisationIdentifier,
} from "./organisation-identifier.ts";
export { parseTrustAnchors } from "./parse-trust-anchors.ts";
export type { PresentedCertificate } from "./presented-certificate.ts";
export type { RevocationFetch, RevocationQuestion } from "./revocation/revocation-fetch.ts";
export type {
  RevocationDemand,
  RevocationEvent,
  RevocationSettings,
} from "./revocation/revocation-settings.ts";
export { type RevocationStanding, standingOfRefusal } from "./revocation/revocation-standing.ts";
export { RevocationUnavailable } from "./revocation/revocation-unavailable.ts";
export type { CompetentAuthority, Psd2Role, TppIdentity } from "./tpp-identity.ts";
export {
  createTppVerification,
  type TppVerification,
  type TppVerificationOptions,
} from "./tpp-verification.ts";
export { type TrustAnchor, TrustAnchorFileError, type TrustAnchors } from "./trust-anchors.ts";
