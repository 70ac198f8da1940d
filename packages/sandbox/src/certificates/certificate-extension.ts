import { isIPv4 } from "node:net";
import {
  derBoolean,
  derElement,
  derNamedBits,
  derOctetString,
  derOid,
  derSequence,
  derSmallInteger,
} from "./der.ts";

/** An extension of a certificate (RFC 5280 4.2) as plain data; `value` is the DER inside the OCTET STRING. */
export type CertificateExtension = {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
};

/** The object identifiers of the extensions that the test CA writes. */
export const extensionOids = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  certificatePolicies: "2.5.29.32",
  crlDistributionPoints: "2.5.29.31",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  authorityInformationAccess: "1.3.6.1.5.5.7.1.1",
  qcStatements: "1.3.6.1.5.5.7.1.3",
} as const;

/** The purposes of an extended key usage (RFC 5280 4.2.1.12) that a profile can name. */
export const purposes = ["serverAuth", "clientAuth", "emailProtection", "OCSPSigning"] as const;

/** One of those purposes. */
export type Purpose = (typeof purposes)[number];

const purposeOids: Readonly<Record<Purpose, string>> = {
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  OCSPSigning: "1.3.6.1.5.5.7.3.9",
};

const keyUsageBits = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyEncipherment: 2,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
} as const;

/** A bit of the key usage (RFC 5280 4.2.1.3). */
export type KeyUsage = keyof typeof keyUsageBits;

/** Basic constraints (RFC 5280 4.2.1.9), critical; a path length only when given. */
export function basicConstraints(ca: boolean, pathLength?: number): CertificateExtension {
  const flag = ca ? [derBoolean(true)] : [];
  const length = pathLength === undefined ? [] : [derSmallInteger(pathLength)];
  return { oid: extensionOids.basicConstraints, critical: true, value: derSequence(...flag, ...length) };
}

/** Key usage (RFC 5280 4.2.1.3), critical. */
export function keyUsage(...usages: readonly KeyUsage[]): CertificateExtension {
  const value = derNamedBits(usages.map((usage) => keyUsageBits[usage]));
  return { oid: extensionOids.keyUsage, critical: true, value };
}

/** Extended key usage (RFC 5280 4.2.1.12), not critical. */
export function extendedKeyUsage(...named: readonly Purpose[]): CertificateExtension {
  const value = derSequence(...named.map((purpose) => derOid(purposeOids[purpose])));
  return { oid: extensionOids.extendedKeyUsage, critical: false, value };
}

/** Subject alternative names (RFC 5280 4.2.1.6): DNS names, and IPv4 addresses or `::1`. */
export function subjectAlternativeName(
  dnsNames: readonly string[],
  ipAddresses: readonly string[] = [],
): CertificateExtension {
  const dns = dnsNames.map((name) => derElement(0x82, Buffer.from(name, "ascii")));
  const addresses = ipAddresses.map((address) => derElement(0x87, addressOctets(address)));
  return {
    oid: extensionOids.subjectAlternativeName,
    critical: false,
    value: derSequence(...dns, ...addresses),
  };
}

/** Certificate policies (RFC 5280 4.2.1.4) without qualifiers, not critical. */
export function certificatePolicies(...policies: readonly string[]): CertificateExtension {
  const value = derSequence(...policies.map((policy) => derSequence(derOid(policy))));
  return { oid: extensionOids.certificatePolicies, critical: false, value };
}

/** Name constraints (RFC 5280 4.2.1.10), critical, that permit DNS names under the given ones only. */
export function permittedDnsNames(...dnsNames: readonly string[]): CertificateExtension {
  const subtrees = dnsNames.map((name) => derSequence(derElement(0x82, Buffer.from(name, "ascii"))));
  const value = derSequence(derElement(0xa0, ...subtrees));
  return { oid: extensionOids.nameConstraints, critical: true, value };
}

/** The qcStatements extension (RFC 3739 3.2.6), not critical, around any DER value. */
export function qcStatements(value: Uint8Array): CertificateExtension {
  return { oid: extensionOids.qcStatements, critical: false, value };
}

/** The subject key identifier (RFC 5280 4.2.1.2). */
export function subjectKeyIdentifier(identifier: Uint8Array): CertificateExtension {
  return {
    oid: extensionOids.subjectKeyIdentifier,
    critical: false,
    value: derOctetString(identifier),
  };
}

/** The authority key identifier (RFC 5280 4.2.1.1). */
export function authorityKeyIdentifier(identifier: Uint8Array): CertificateExtension {
  const value = derSequence(derElement(0x80, identifier));
  return { oid: extensionOids.authorityKeyIdentifier, critical: false, value };
}

const ocspAccess = "1.3.6.1.5.5.7.48.1";
const uniformResourceIdentifier = (url: string) => derElement(0x86, Buffer.from(url, "ascii"));

/** URLs of OCSP responders (RFC 5280 4.2.2.1), in this order; not critical. */
export function authorityInformationAccess(...ocspUrls: readonly string[]): CertificateExtension {
  const descriptions = ocspUrls.map((url) => derSequence(derOid(ocspAccess), uniformResourceIdentifier(url)));
  return {
    oid: extensionOids.authorityInformationAccess,
    critical: false,
    value: derSequence(...descriptions),
  };
}

/** URLs of CRLs (RFC 5280 4.2.1.13), each in its own distribution point; not critical. */
export function crlDistributionPoints(...crlUrls: readonly string[]): CertificateExtension {
  const points = crlUrls.map((url) =>
    derSequence(derElement(0xa0, derElement(0xa0, uniformResourceIdentifier(url)))),
  );
  return { oid: extensionOids.crlDistributionPoints, critical: false, value: derSequence(...points) };
}

/** Replaces the extension with the same identifier, or adds it at the end if there is none. */
export function replaceExtension(
  extensions: readonly CertificateExtension[],
  extension: CertificateExtension,
): readonly CertificateExtension[] {
  return [...withoutExtension(extensions, extension.oid), extension];
}

/** Removes the extensions with an object identifier. */
export function withoutExtension(
  extensions: readonly CertificateExtension[],
  oid: string,
): readonly CertificateExtension[] {
  return extensions.filter((extension) => extension.oid !== oid);
}

function addressOctets(address: string): Uint8Array {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  if (address === "::1") return Buffer.from([...Buffer.alloc(15), 1]);
  throw new TypeError(`not an IPv4 address or ::1: ${address}`);
}
