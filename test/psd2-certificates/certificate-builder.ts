/**
 * Builds certificates octet by octet, right or wrong in any one place, with keys that are made once per run. It judges
 * nothing and shares no code with the reader under test.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { PresentedCertificate } from "@cobs/psd2-certificates";
import {
  basicConstraints,
  type CertificateExtension,
  extendedKeyUsage,
  keyUsage,
  qcStatements,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  derBoolean,
  derElement,
  derOctetString,
  derOid,
  derSequence,
  derSmallInteger,
  derUtf8String,
} from "../../packages/sandbox/src/certificates/der.ts";
import { encodeQcStatements } from "../../packages/sandbox/src/certificates/qc-statements.ts";

/** An attribute of a name, with those that stand in the same part of it. */
export type Attribute = {
  readonly oid: string;
  readonly value: Uint8Array;
  readonly beside?: readonly Attribute[];
};

/** All that a certificate says; `signedWith` names one of {@link algorithms}. */
export type Plan = {
  readonly version: Uint8Array;
  readonly serial: Uint8Array;
  readonly subject: readonly Attribute[];
  readonly notBefore: Uint8Array;
  readonly notAfter: Uint8Array;
  readonly extensions: readonly Uint8Array[];
  readonly key: KeyObject;
  readonly signedWith: keyof typeof algorithms | undefined;
  readonly outerAlgorithm: Uint8Array | undefined;
  /** Stands in the place of the subject. */
  readonly encodedSubject?: Uint8Array;
};

export type Issued = {
  readonly der: Buffer;
  readonly pem: string;
  readonly name: Uint8Array;
  readonly key: KeyObject;
};

const derNull = derElement(0x05);
const sha256 = derSequence(derOid("2.16.840.1.101.3.4.2.1"));
const pss = (hash: readonly Uint8Array[]) =>
  derSequence(derOid("1.2.840.113549.1.1.10"), derSequence(...hash));
const mgf1 = derElement(0xa1, derSequence(derOid("1.2.840.113549.1.1.8"), sha256));

export const algorithms = {
  "ecdsa-sha256": { hash: "sha256", identifier: derSequence(derOid("1.2.840.10045.4.3.2")), salt: undefined },
  "ecdsa-sha1": { hash: "sha1", identifier: derSequence(derOid("1.2.840.10045.4.1")), salt: undefined },
  "rsa-sha256": {
    hash: "sha256",
    identifier: derSequence(derOid("1.2.840.113549.1.1.11"), derNull),
    salt: undefined,
  },
  "rsa-sha1": {
    hash: "sha1",
    identifier: derSequence(derOid("1.2.840.113549.1.1.5"), derNull),
    salt: undefined,
  },
  "rsa-md5": {
    hash: "md5",
    identifier: derSequence(derOid("1.2.840.113549.1.1.4"), derNull),
    salt: undefined,
  },
  "pss-sha256": {
    hash: "sha256",
    identifier: pss([derElement(0xa0, sha256), mgf1, derElement(0xa2, derSmallInteger(32))]),
    salt: 32,
  },
  "pss-sha1": { hash: "sha1", identifier: pss([]), salt: 20 },
  ed25519: { hash: undefined, identifier: derSequence(derOid("1.3.101.112")), salt: undefined },
} as const;

const keys = new Map<string, KeyObject>();

/** A private key of this kind, the same one on every call; `label` makes another. */
export function keyOf(
  kind: "P-256" | "P-384" | "P-521" | "secp256k1" | "ed25519" | "rsa-1024" | "rsa-2048",
  label = "",
): KeyObject {
  const known = keys.get(kind + label) ?? generate(kind);
  keys.set(kind + label, known);
  return known;
}

function generate(kind: string): KeyObject {
  if (kind === "ed25519") return generateKeyPairSync("ed25519").privateKey;
  if (kind.startsWith("rsa-"))
    return generateKeyPairSync("rsa", { modulusLength: Number(kind.slice("rsa-".length)) }).privateKey;
  return generateKeyPairSync("ec", { namedCurve: kind }).privateKey;
}

/** The moment at which the certificates of these tests are looked at. */
export const now = new Date("2026-11-15T12:00:00Z");

export const utcTime = (text: string) => derElement(0x17, Buffer.from(text, "latin1"));
export const generalizedTime = (text: string) => derElement(0x18, Buffer.from(text, "latin1"));
export const printableString = (text: string) => derElement(0x13, Buffer.from(text, "latin1"));
export const bmpString = (text: string) => derElement(0x1e, Buffer.from(text, "utf16le").swap16());
export const attribute = (oid: string, value: Uint8Array): Attribute => ({ oid, value });

export const oids = {
  country: "2.5.4.6",
  organisation: "2.5.4.10",
  identifier: "2.5.4.97",
  commonName: "2.5.4.3",
};
export const authority = { id: "CZ-CNB", name: "Czech National Bank" };

/** The subject of a TPP with the given identifier and name. */
export function tppSubject(
  identifier = "PSDCZ-CNB-63492555",
  name = "Účetní pomocník s.r.o.",
): readonly Attribute[] {
  return [
    attribute(oids.country, printableString("CZ")),
    attribute(oids.organisation, derUtf8String(name)),
    attribute(oids.identifier, derUtf8String(identifier)),
    attribute(oids.commonName, derUtf8String("tpp.example")),
  ];
}

/** Whole DER of an extension. */
export function extension({ oid, critical, value }: CertificateExtension): Uint8Array {
  return derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));
}

/** The extensions of a QWAC around any qcStatements. */
export function qwacExtensions(
  statements = encodeQcStatements("web", { roles: ["PSP_AI", "PSP_PI"], authority }),
): readonly Uint8Array[] {
  return [
    extension(basicConstraints(false)),
    extension(keyUsage("digitalSignature")),
    extension(extendedKeyUsage("serverAuth", "clientAuth")),
    extension(qcStatements(statements)),
  ];
}

/** A right QWAC of a TPP in which something may be changed. */
export function qwacPlan(changes: Partial<Plan> = {}): Plan {
  return {
    version: derElement(0xa0, derSmallInteger(2)),
    serial: derElement(0x02, Buffer.from("4a0b", "hex")),
    subject: tppSubject(),
    notBefore: utcTime("260101000000Z"),
    notAfter: utcTime("270101000000Z"),
    extensions: qwacExtensions(),
    key: keyOf("P-256", "leaf"),
    signedWith: undefined,
    outerAlgorithm: undefined,
    ...changes,
  };
}

/** A right authority in which something may be changed. */
export function authorityPlan(name: string, changes: Partial<Plan> = {}): Plan {
  return qwacPlan({
    subject: [attribute(oids.commonName, derUtf8String(name))],
    notBefore: utcTime("200101000000Z"),
    notAfter: utcTime("400101000000Z"),
    extensions: [extension(basicConstraints(true)), extension(keyUsage("keyCertSign"))],
    key: keyOf("P-256", name),
    ...changes,
  });
}

/** Signs a plan with the key of the issuer, or with its own. */
export function issue(plan: Plan, issuer?: Pick<Issued, "name" | "key">): Issued {
  const name = plan.encodedSubject ?? nameOf(plan.subject);
  const signer = issuer ?? { name, key: plan.key };
  const { hash, identifier, salt } = algorithms[plan.signedWith ?? usualAlgorithm(signer.key)];
  const signed = derSequence(
    plan.version,
    plan.serial,
    identifier,
    signer.name,
    derSequence(plan.notBefore, plan.notAfter),
    name,
    createPublicKey(plan.key).export({ type: "spki", format: "der" }),
    ...(plan.extensions.length > 0 ? [derElement(0xa3, derSequence(...plan.extensions))] : []),
  );
  const options = salt === undefined ? signer.key : { key: signer.key, padding: 6, saltLength: salt };
  const signature = derElement(0x03, Buffer.from([0]), sign(hash, Buffer.from(signed), options));
  const der = Buffer.from(derSequence(signed, plan.outerAlgorithm ?? identifier, signature));
  return { der, pem: pemOf(der), name, key: plan.key };
}

function usualAlgorithm(key: KeyObject): keyof typeof algorithms {
  if (key.asymmetricKeyType === "rsa") return "rsa-sha256";
  return key.asymmetricKeyType === "ed25519" ? "ed25519" : "ecdsa-sha256";
}

/** DER of a name with one part for each attribute. */
export function nameOf(attributes: readonly Attribute[]): Uint8Array {
  const encoded = ({ oid, value }: Attribute) => derSequence(derOid(oid), value);
  return derSequence(
    ...attributes.map((each) => derElement(0x31, encoded(each), ...(each.beside ?? []).map(encoded))),
  );
}

function pemOf(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

/** The text of an anchor file for these authorities. */
export function anchorFile(
  issued: readonly Issued[],
  from = "2020-01-01T00:00:00Z",
  until: string | null = null,
): string {
  const anchors = issued.map(({ pem }, at) => ({
    serviceName: `Service ${at}`,
    from,
    until,
    certificate: pem,
  }));
  return JSON.stringify({ environment: "sandbox", version: 1, revision: 1, anchors });
}

/** What a listener hands over for a certificate; each call is another connection. */
export function present(
  leaf: Buffer,
  intermediates: readonly Issued[] = [],
  tlsVerdict?: string,
): PresentedCertificate {
  return { der: leaf, intermediates: intermediates.map(({ der }) => der), tlsVerdict };
}
