import * as extension from "./certificate-extension.ts";
import {
  type CertificateDescription,
  type IssuedCertificate,
  issueCertificate,
} from "./issue-certificate.ts";
import { encodeQcStatements } from "./qc-statements.ts";
import { type SubjectAttribute, subjectOids } from "./subject-attribute.ts";
import type { TestCa } from "./test-ca.ts";
import type { TppProfile } from "./tpp-profile.ts";
import { daysAround } from "./validity.ts";

/** QNCP-w-gen of EN 319 411-2: a QWAC that no browser need trust. */
const qwacPolicy = "0.4.0.194112.1.6";

/** Where to check whether a certificate was revoked; undefined sources are left out of the certificate. */
export type RevocationSources = { readonly ocsp: string | undefined; readonly crl: string | undefined };

/** Issues the certificate of a profile from the issuing CA, or from the unknown one when the profile says so. */
export async function issueTppCertificate(
  ca: TestCa,
  profile: TppProfile,
  { now, sources }: { readonly now: Date; readonly sources?: RevocationSources | undefined },
): Promise<IssuedCertificate> {
  return issueCertificate(tppIssuer(ca, profile), describeTppCertificate(profile, now, sources));
}

/** The authority that issues the certificate of a profile. */
export function tppIssuer(ca: TestCa, profile: TppProfile): IssuedCertificate {
  return profile.issuer === "unknown" ? ca.unknownIssuing : ca.qtspIssuing;
}

/** Describes the certificate of a profile; a test changes one thing in it and issues that. */
export function describeTppCertificate(
  profile: TppProfile,
  now: Date,
  sources?: RevocationSources,
): CertificateDescription {
  const domain = `${profile.name}.tpp.example`;
  const { roles, authority } = profile;
  const psd2 = authority === null ? undefined : { roles, authority };
  return {
    subject: subjectOf(profile, domain),
    validity: daysAround(now, profile.validity),
    keyType: profile.keyType,
    extensions: [
      extension.basicConstraints(false),
      extension.keyUsage("digitalSignature"),
      extension.extendedKeyUsage(...profile.extendedKeyUsage),
      extension.subjectAlternativeName([domain]),
      extension.certificatePolicies(qwacPolicy),
      extension.qcStatements(encodeQcStatements(profile.qcType, psd2)),
      ...sourceExtensions(sources),
    ],
  };
}

/** The extensions that name the given sources. */
export function sourceExtensions(
  sources: RevocationSources | undefined,
): readonly extension.CertificateExtension[] {
  const { ocsp, crl } = sources ?? {};
  return [
    ...(ocsp === undefined ? [] : [extension.authorityInformationAccess(ocsp)]),
    ...(crl === undefined ? [] : [extension.crlDistributionPoints(crl)]),
  ];
}

function subjectOf({ organisation }: TppProfile, domain: string): readonly SubjectAttribute[] {
  return [
    { oid: subjectOids.countryName, value: organisation.country },
    { oid: subjectOids.organizationName, value: organisation.name },
    { oid: subjectOids.organizationIdentifier, value: organisation.organisationIdentifier },
    { oid: subjectOids.commonName, value: domain },
  ];
}
