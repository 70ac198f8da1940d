/**
 * Builds certificates from plans of the test CA, correct or wrong in any one place, with keys that are made once per run. It
 * judges nothing and shares no code with the reader under test.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { PresentedCertificate } from "@cobs/psd2-certificates";
import {
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  qcStatements,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  type CertificatePlan,
  encodeExtension,
  encodeName,
  type NameAttribute,
  presentPem,
  signPlan,
} from "../../packages/sandbox/src/certificates/certificate-plan.ts";
import {
  derBitString,
  derElement,
  derOid,
  derSequence,
  derSmallInteger,
  derTime,
  derUtf8String,
} from "../../packages/sandbox/src/certificates/der.ts";
import {
  derBmpString,
  derGeneralizedTimeText,
  derPrintableString,
  derUtcTimeText,
} from "../../packages/sandbox/src/certificates/der-strings.ts";
import { encodeQcStatements } from "../../packages/sandbox/src/certificates/qc-statements.ts";
import { signatureAlgorithms } from "../../packages/sandbox/src/certificates/signature-algorithms.ts";

export {
  type CertificatePlan as Plan,
  derBmpString as bmpString,
  derGeneralizedTimeText as generalizedTime,
  derPrintableString as printableString,
  derUtcTimeText as utcTime,
  encodeExtension as extension,
  encodeName as nameOf,
  type NameAttribute as Attribute,
  signatureAlgorithms as algorithms,
};

export type Issued = {
  readonly der: Buffer;
  readonly pem: string;
  readonly name: Uint8Array;
  readonly key: KeyObject;
};

const keys = new Map<string, KeyObject>();

/** A private key of this kind, the same one on every call; another `label` makes another. */
export function keyOf(
  kind: "P-256" | "P-384" | "P-521" | "secp256k1" | "brainpoolP256r1" | "ed25519" | "rsa-1024" | "rsa-2048",
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

/** An RSA key with another modulus or exponent: nobody can sign with it, but a certificate can contain it. */
export function rsaWith(members: { readonly n?: Buffer; readonly e?: Buffer }): KeyObject {
  const texts = Object.entries(members).map(([name, octets]) => [name, octets.toString("base64url")]);
  const key = { ...keyOf("rsa-2048").export({ format: "jwk" }), ...Object.fromEntries(texts) };
  return createPrivateKey({ key, format: "jwk" });
}

/** SubjectPublicKeyInfo of P-256 around any octets for the point (RFC 5480 2). */
export function pointOf(octets: Uint8Array): Uint8Array {
  const curve = derSequence(derOid("1.2.840.10045.2.1"), derOid("1.2.840.10045.3.1.7"));
  return derSequence(curve, derBitString(octets));
}

/** The time at which these tests judge certificates. */
export const now = new Date("2026-11-15T12:00:00Z");

/** A number of years after the real time, for judgments by this machine's clock. */
export const inYears = (years: number): Uint8Array =>
  derTime(new Date(Date.now() + years * 366 * 86_400_000));

export const attribute = (oid: string, value: Uint8Array): NameAttribute => ({ oid, value });

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
): readonly NameAttribute[] {
  return [
    attribute(oids.country, derPrintableString("CZ")),
    attribute(oids.organisation, derUtf8String(name)),
    attribute(oids.identifier, derUtf8String(identifier)),
    attribute(oids.commonName, derUtf8String("tpp.example")),
  ];
}

/** The extensions of a QWAC around any qcStatements. */
export function qwacExtensions(
  statements = encodeQcStatements("web", { roles: ["PSP_AI", "PSP_PI"], authority }),
): readonly Uint8Array[] {
  return [
    encodeExtension(basicConstraints(false)),
    encodeExtension(keyUsage("digitalSignature")),
    encodeExtension(extendedKeyUsage("serverAuth", "clientAuth")),
    encodeExtension(qcStatements(statements)),
  ];
}

/** A correct QWAC of a TPP, with changes. */
export function qwacPlan(changes: Partial<CertificatePlan> = {}): CertificatePlan {
  return {
    version: derElement(0xa0, derSmallInteger(2)),
    serial: derElement(0x02, Buffer.from("4a0b", "hex")),
    subject: tppSubject(),
    notBefore: derUtcTimeText("260101000000Z"),
    notAfter: derUtcTimeText("270101000000Z"),
    extensions: qwacExtensions(),
    key: keyOf("P-256", "leaf"),
    signedWith: undefined,
    outerAlgorithm: undefined,
    ...changes,
  };
}

/** A correct authority, with changes. */
export function authorityPlan(name: string, changes: Partial<CertificatePlan> = {}): CertificatePlan {
  return qwacPlan({
    subject: [attribute(oids.commonName, derUtf8String(name))],
    notBefore: derUtcTimeText("200101000000Z"),
    notAfter: derUtcTimeText("400101000000Z"),
    extensions: [encodeExtension(basicConstraints(true)), encodeExtension(keyUsage("keyCertSign"))],
    key: keyOf("P-256", name),
    ...changes,
  });
}

/** Signs a plan with the issuer's key, or with its own. */
export function issue(plan: CertificatePlan, issuer?: Pick<Issued, "name" | "key">): Issued {
  const der = signPlan(plan, issuer);
  return {
    der,
    pem: presentPem("CERTIFICATE", der),
    name: plan.encodedSubject ?? encodeName(plan.subject),
    key: plan.key,
  };
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

/** What a listener hands over for a certificate; each call is a new connection. */
export function present(
  leaf: Buffer,
  intermediates: readonly Issued[] = [],
  tlsVerdict?: string,
): PresentedCertificate {
  return { der: leaf, intermediates: intermediates.map(({ der }) => der), tlsVerdict };
}
