import {
  basicConstraints,
  type CertificateExtension,
  keyUsage,
  replaceExtension,
} from "./certificate-extension.ts";
import { type IssuedCertificate, issueCertificate } from "./issue-certificate.ts";
import { type SubjectAttribute, subjectOids } from "./subject-attribute.ts";
import { daysAround } from "./validity.ts";

/**
 * The certification authorities of a sandbox: three hierarchies that do not trust one another, and an impostor. None of them
 * may ever be an anchor outside a sandbox.
 */
export type TestCa = {
  /** The root of the invented trust service provider, a trust anchor. */
  readonly qtspRoot: IssuedCertificate;
  /** Issues the certificates of TPPs; also a trust anchor. */
  readonly qtspIssuing: IssuedCertificate;
  /** Has the name of `qtspIssuing` but another key, under a root that nobody trusts. */
  readonly unknownIssuing: IssuedCertificate;
  /** Issues the server certificates of public listeners. */
  readonly web: IssuedCertificate;
  /** Issues the certificates of the bank's own services, servers and callers. */
  readonly private: IssuedCertificate;
};

const authorityDays = { fromDays: -1826, untilDays: 3652 };

/** Creates a test CA; its certificates are valid from five years before `now` until ten years after it. */
export async function createTestCa(now: Date): Promise<TestCa> {
  const [qtspRoot, unknownRoot, web, privateRoot] = await Promise.all([
    issueAuthority(undefined, { commonName: "COBS Sandbox QTSP Root" }, now),
    issueAuthority(undefined, { commonName: "COBS Sandbox QTSP Root" }, now),
    issueAuthority(undefined, { commonName: "COBS Sandbox Web CA" }, now),
    issueAuthority(undefined, { commonName: "COBS Sandbox Private CA" }, now),
  ]);
  const [qtspIssuing, unknownIssuing] = await Promise.all([
    issueAuthority(qtspRoot, { commonName: "COBS Sandbox QTSP Issuing CA" }, now),
    issueAuthority(unknownRoot, { commonName: "COBS Sandbox QTSP Issuing CA" }, now),
  ]);
  return { qtspRoot, qtspIssuing, unknownIssuing, web, private: privateRoot };
}

/** An authority by its name; extensions replace the default ones of the same kind. */
export type AuthorityDescription = {
  readonly commonName: string;
  readonly extensions?: readonly CertificateExtension[];
};

/** The distinguished name of an authority of a sandbox. */
export function authorityName(commonName: string): readonly SubjectAttribute[] {
  return [
    { oid: subjectOids.countryName, value: "CZ" },
    { oid: subjectOids.organizationName, value: "COBS sandbox, not for production" },
    { oid: subjectOids.commonName, value: commonName },
  ];
}

/** Extensions that every authority has. */
export const authorityExtensions: readonly CertificateExtension[] = [
  basicConstraints(true),
  keyUsage("keyCertSign", "cRLSign"),
];

/** Issues a certification authority, valid as long as those of {@link createTestCa}; without an issuer it is a root. */
export async function issueAuthority(
  issuer: IssuedCertificate | undefined,
  { commonName, extensions = [] }: AuthorityDescription,
  now: Date,
): Promise<IssuedCertificate> {
  return issueCertificate(issuer, {
    subject: authorityName(commonName),
    validity: daysAround(now, authorityDays),
    extensions: extensions.reduce(replaceExtension, authorityExtensions),
  });
}
