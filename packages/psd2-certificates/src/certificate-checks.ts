/**
 * The order of all checks: one line each, with the refusals it may give. When several things are wrong with a
 * certificate, the first line decides which of them is told.
 *
 * Trust comes before contents, so that a stranger who makes certificates learns nothing but that they are not trusted.
 * Signatures come before times, so that an expired certificate of a trusted authority is called expired. The kind of a
 * certificate comes before its purposes, because "this is a seal" helps its holder more than "no clientAuth". OpenSSL's
 * verdict comes last: it can only add a no, and what it means has been said in better words by then.
 *
 * Whether the certificate was revoked is asked after all of these, by whoever may open connections.
 */
import { CertificateRefusal } from "./certificate-refusal.ts";
import { describeTpp } from "./describe-tpp.ts";
import { attempt, type Outcome, outcomeOf } from "./outcome.ts";
import { type CertificationPath, requirePathAt } from "./path/certification-path.ts";
import { findPaths } from "./path/find-paths.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import { readPsd2Statement } from "./psd2/psd2-statement.ts";
import { readQcStatements, requireQualified, requireWebsiteType } from "./psd2/qc-statements.ts";
import { readOrganisationIdentifier, readOrganisationName } from "./psd2/subject.ts";
import { requireSameAuthority, requireTppRole } from "./psd2/tpp-requirements.ts";
import type { TppIdentity } from "./tpp-identity.ts";
import type { TrustAnchors } from "./trust-anchors.ts";
import type { Certificate } from "./x509/certificate.ts";
import * as rules from "./x509/leaf-requirements.ts";
import { readCertificate } from "./x509/read-certificate.ts";

/** What one look at a certificate found; true for ever, whatever the time and the connection. */
export interface Examination {
  readonly validity: rules.Validity;
  readonly paths: readonly CertificationPath[];
  readonly tpp: Outcome<TppIdentity>;
}

/** The first question, before anything is read or remembered. */
export function requirePresented(presented: PresentedCertificate | undefined): PresentedCertificate {
  if (presented === undefined) throw new CertificateRefusal("certificate_absent", "no certificate");
  return presented;
}

/** The costly part, once per certificate. What `readTpp` refuses is kept back until the times have been judged. */
export function examine(presented: PresentedCertificate, { anchors }: TrustAnchors): Examination {
  const leaf = readCertificate(presented.der); //                                certificate_malformed
  const paths = findPaths(leaf, presented.intermediates, anchors); //            chain_untrusted
  const validity = { notBefore: leaf.notBefore.getTime(), notAfter: leaf.notAfter.getTime() };
  return { validity, paths, tpp: attempt(() => readTpp(leaf)) };
}

/** The cheap part, on every call: resumed sessions and connections kept alive outlive what was true at their start. */
export function judge(examination: Examination, presented: PresentedCertificate, now: Date): TppIdentity {
  rules.requireWithinValidity(examination.validity, now); //                     certificate_not_yet_valid, certificate_expired
  requirePathAt(examination.paths, now); //                                      chain_untrusted
  const tpp = outcomeOf(examination.tpp); //                                     what readTpp refuses
  requireTlsAgreement(presented); //                                             chain_untrusted
  return tpp;
}

/** A TPP from a certificate whose path is known to be good. */
function readTpp(leaf: Certificate): TppIdentity {
  rules.requireStrongSignature(leaf); //                                         signature_weak
  rules.requireStrongKey(leaf); //                                               key_weak
  rules.requireSupportedExtensions(leaf); //                                     extension_unsupported
  const statements = readQcStatements(leaf); //                                  psd2_statement_missing, psd2_statement_malformed
  requireQualified(statements); //                                               not_qualified
  requireWebsiteType(statements); //                                             qc_type_not_web
  rules.requireClientPurpose(leaf); //                                           purpose_not_client
  const psd2 = readPsd2Statement(statements); //                                 psd2_statement_…, role_unknown, role_name_mismatch
  const organisationIdentifier = readOrganisationIdentifier(leaf.subject); //    organisation_identifier_…
  const organisationName = readOrganisationName(leaf.subject); //                organisation_name_missing
  requireSameAuthority(organisationIdentifier, psd2); //                         authority_mismatch
  requireTppRole(psd2); //                                                       no_tpp_role
  return describeTpp(leaf, psd2, { organisationIdentifier, organisationName });
}

/** A verdict belongs to a connection, not to a certificate: it is not remembered. */
function requireTlsAgreement({ tlsVerdict }: PresentedCertificate): void {
  if (tlsVerdict !== undefined) throw new CertificateRefusal("chain_untrusted", `TLS says ${tlsVerdict}`);
}
