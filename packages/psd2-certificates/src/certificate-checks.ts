/**
 * The order of all checks: one line each, with the refusals it may give. If a certificate has several faults, the first line
 * decides which one is reported. The verifier and the inspection both run these lines.
 *
 * Trust comes before contents, so that a stranger who makes certificates learns only that they are not trusted. Signatures
 * come before times, so that an expired certificate of a trusted authority is called expired. The kind of a certificate comes
 * before its purposes, because "this is a seal" helps its holder more than "no clientAuth". OpenSSL's verdict comes last: it
 * can only refuse, and earlier checks explain the same faults in better words.
 *
 * Revocation is checked after all of these (`revocation/require-unrevoked.ts`), so that nobody can make the bank open a
 * connection with a certificate that is refused anyway.
 */
import { type CertificateCheck, learns, passAll, requireKnown, requires } from "./certificate-check.ts";
import { CertificateRefusal } from "./certificate-refusal.ts";
import { describeTpp } from "./describe-tpp.ts";
import { attempt, type Outcome, outcomeOf } from "./outcome.ts";
import { type CertificationPath, requirePathsAt } from "./path/certification-path.ts";
import { findPaths } from "./path/find-paths.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import { readPsd2Statement } from "./psd2/psd2-statement.ts";
import { readQcStatements, requireQualified, requireWebsiteType } from "./psd2/qc-statements.ts";
import { readOrganisationIdentifier, readOrganisationName } from "./psd2/subject.ts";
import { requireSameAuthority, requireTppRole } from "./psd2/tpp-requirements.ts";
import { requireNotRevoked } from "./revocation/revocation-standing.ts";
import type { TppIdentity } from "./tpp-identity.ts";
import type { TrustAnchors } from "./trust-anchors.ts";
import type { Certificate } from "./x509/certificate.ts";
import * as rules from "./x509/leaf-requirements.ts";
import { readCertificate } from "./x509/read-certificate.ts";

/** Run first, before anything is read or remembered. */
const presence = [
  learns("presented", ["shown"], ({ shown }) => ({ presented: requirePresented(shown) })), //   certificate_absent
];

/** The expensive part, run once per certificate. */
const trust = [
  learns("well_formed", ["presented"], ({ presented }) => readLeaf(presented)), //               certificate_malformed
  learns("path", ["leaf", "presented", "anchors"], ({ leaf, presented, anchors }) => ({
    paths: findPaths(leaf, presented.intermediates, anchors), //                                 chain_untrusted
  })),
];

/** Run on every call, because resumed sessions and kept-alive connections outlive what was true at their start. */
const times = [
  // certificate_not_yet_valid, certificate_expired
  requires("validity", ["validity", "now"], (it) => rules.requireWithinValidity(it.validity, it.now)),
  learns("path_in_time", ["paths", "now"], ({ paths, now }) => ({
    holding: requirePathsAt(paths, now), //                                                      chain_untrusted
  })),
];

/** Run once per certificate; their refusals are withheld until the times have been checked. */
const contents = [
  requires("signature", ["leaf"], ({ leaf }) => rules.requireStrongSignature(leaf)), //          signature_weak
  requires("key", ["leaf"], ({ leaf }) => rules.requireStrongKey(leaf)), //                      key_weak
  requires("critical_extensions", ["leaf"], ({ leaf }) => rules.requireSupportedExtensions(leaf)), // extension_unsupported
  learns("qc_statements", ["leaf"], ({ leaf }) => ({ statements: readQcStatements(leaf) })), //  psd2_statement_missing, psd2_statement_malformed
  requires("qualified", ["statements"], ({ statements }) => requireQualified(statements)), //    not_qualified
  requires("qc_type", ["statements"], ({ statements }) => requireWebsiteType(statements)), //    qc_type_not_web
  requires("purpose", ["leaf"], ({ leaf }) => rules.requireClientPurpose(leaf)), //              purpose_not_client
  learns("psd2_statement", ["statements"], ({ statements }) => ({
    psd2: readPsd2Statement(statements), //                                                      psd2_statement_…, role_unknown, role_name_mismatch
  })),
  learns("organisation_identifier", ["leaf"], ({ leaf }) => ({
    organisationIdentifier: readOrganisationIdentifier(leaf.subject), //                         organisation_identifier_…
  })),
  learns("organisation_name", ["leaf"], ({ leaf }) => ({
    organisationName: readOrganisationName(leaf.subject), //                                     organisation_name_missing
  })),
  requires("same_authority", ["organisationIdentifier", "psd2"], ({ organisationIdentifier, psd2 }) => {
    requireSameAuthority(organisationIdentifier, psd2); //                                       authority_mismatch
  }),
  requires("tpp_role", ["psd2"], ({ psd2 }) => requireTppRole(psd2)), //                         no_tpp_role
];

/** A verdict belongs to a connection, not to a certificate, so it is not remembered. */
const connection = [
  requires("tls_verdict", ["presented"], ({ presented }) => requireTlsAgreement(presented)), //  chain_untrusted
];

/** For reports only: checks a revocation answer that was obtained elsewhere. */
const revocation = [
  requires("revocation", ["revocation"], (known) => requireNotRevoked(known.revocation)), //     revocation_source_missing, certificate_revoked
];

/** All checks in their order. */
export const certificateChecks: readonly CertificateCheck[] = [
  ...presence,
  ...trust,
  ...times,
  ...contents,
  ...connection,
  ...revocation,
];

/** The result of examining a certificate once, independent of time and connection. */
export interface Examination {
  readonly validity: rules.Validity;
  readonly paths: readonly CertificationPath[];
  readonly tpp: Outcome<TppIdentity>;
}

/** A TPP, and the paths by which it may be trusted; their revocation is not checked yet. */
export interface VerifiedTpp {
  readonly tpp: TppIdentity;
  /** At least one. */
  readonly holding: readonly CertificationPath[];
}

/** Refuses with `certificate_absent` if there is no certificate. */
export function requirePresented(presented: PresentedCertificate | undefined): PresentedCertificate {
  if (presented === undefined)
    throw new CertificateRefusal("certificate_absent", "no certificate was presented");
  return presented;
}

/** Runs the checks that are run once. Refuses only for lack of trust: refusals of the contents wait for the times. */
export function examine(presented: PresentedCertificate, { anchors }: TrustAnchors): Examination {
  const known = passAll(trust, { presented, anchors });
  const { leaf, validity, paths } = requireKnown(known, ["leaf", "validity", "paths"]);
  return { validity, paths, tpp: attempt(() => readTpp(leaf, paths)) };
}

/** Runs the checks that are run on every call. */
export function judge(examination: Examination, presented: PresentedCertificate, now: Date): VerifiedTpp {
  const { validity, paths } = examination;
  const { holding } = requireKnown(passAll(times, { validity, paths, now }), ["holding"]);
  const tpp = outcomeOf(examination.tpp);
  passAll(connection, { presented });
  return { tpp, holding };
}

/** Reads a TPP from a certificate with a verified path. */
function readTpp(leaf: Certificate, paths: readonly CertificationPath[]): TppIdentity {
  const known = passAll(contents, { leaf });
  const names = requireKnown(known, ["psd2", "organisationIdentifier", "organisationName"]);
  // Any path will do: the key that signed the leaf is the same on all of them.
  const issuer = paths[0]?.links[0]?.issuer ?? leaf;
  return describeTpp({ leaf, issuer }, names.psd2, {
    organisationIdentifier: names.organisationIdentifier,
    organisationName: names.organisationName,
  });
}

function readLeaf({ der }: PresentedCertificate) {
  const leaf = readCertificate(der);
  return {
    leaf,
    validity: { notBefore: leaf.notBefore.getTime(), notAfter: leaf.notAfter.getTime() },
  };
}

function requireTlsAgreement({ tlsVerdict }: PresentedCertificate): void {
  if (tlsVerdict !== undefined)
    throw new CertificateRefusal("chain_untrusted", `OpenSSL reports ${tlsVerdict}`);
}
