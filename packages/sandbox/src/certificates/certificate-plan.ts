/**
 * A certificate octet by octet: every part is ready-made DER, so that any of them can be wrong on purpose. It validates
 * nothing, and shares no code with the readers of certificates.
 */
import { type KeyObject, randomBytes } from "node:crypto";
import type { CertificateExtension } from "./certificate-extension.ts";
import { publicKeyInfo } from "./certificate-key.ts";
import {
  derBoolean,
  derElement,
  derOctetString,
  derOid,
  derPositiveInteger,
  derSequence,
  derSmallInteger,
} from "./der.ts";
import {
  type SignatureName,
  signatureAlgorithms,
  signatureBits,
  usualAlgorithm,
} from "./signature-algorithms.ts";

/** An attribute of a name, with the others in the same relative distinguished name. */
export type NameAttribute = {
  readonly oid: string;
  readonly value: Uint8Array;
  readonly beside?: readonly NameAttribute[];
};

/** The full content of a certificate. */
export type CertificatePlan = {
  readonly version: Uint8Array;
  readonly serial: Uint8Array;
  readonly subject: readonly NameAttribute[];
  readonly notBefore: Uint8Array;
  readonly notAfter: Uint8Array;
  readonly extensions: readonly Uint8Array[];
  readonly key: KeyObject;
  /** Undefined signs as usual for the issuer's key. */
  readonly signedWith: SignatureName | undefined;
  /** Replaces the algorithm outside the signed part. */
  readonly outerAlgorithm: Uint8Array | undefined;
  /** Replaces the subject. */
  readonly encodedSubject?: Uint8Array;
  /** Replaces the key. */
  readonly encodedKey?: Uint8Array;
};

/** X.509 version 3, as the first member of a certificate (RFC 5280 4.1.2.1). */
export const version3 = derElement(0xa0, derSmallInteger(2));

/** A serial number of 16 octets, positive (RFC 5280 4.1.2.2). */
export function randomSerial(): Uint8Array {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40;
  return derPositiveInteger(octets);
}

/** The signer: its DER name for the issuer field, and its key. */
export type PlanSigner = { readonly name: Uint8Array; readonly key: KeyObject };

/** The DER of a certificate, signed by the issuer or by itself. */
export function signPlan(plan: CertificatePlan, issuer?: PlanSigner): Buffer {
  const name = plan.encodedSubject ?? encodeName(plan.subject);
  const signer = issuer ?? { name, key: plan.key };
  const algorithm = signatureAlgorithms[plan.signedWith ?? usualAlgorithm(signer.key)];
  const signed = derSequence(
    plan.version,
    plan.serial,
    algorithm.identifier,
    signer.name,
    derSequence(plan.notBefore, plan.notAfter),
    name,
    plan.encodedKey ?? publicKeyInfo(plan.key),
    ...(plan.extensions.length > 0 ? [derElement(0xa3, derSequence(...plan.extensions))] : []),
  );
  const signature = signatureBits(signed, signer.key, algorithm);
  return Buffer.from(derSequence(signed, plan.outerAlgorithm ?? algorithm.identifier, signature));
}

/** DER of a name with one relative distinguished name per attribute (RFC 5280 4.1.2.4). */
export function encodeName(attributes: readonly NameAttribute[]): Uint8Array {
  const encoded = ({ oid, value }: NameAttribute) => derSequence(derOid(oid), value);
  return derSequence(
    ...attributes.map((each) => derElement(0x31, encoded(each), ...(each.beside ?? []).map(encoded))),
  );
}

/** DER of a whole extension (RFC 5280 4.1); `spellsDefault` writes critical FALSE, which DER omits. */
export function encodeExtension({ oid, critical, value, spellsDefault }: PlannedExtension): Uint8Array {
  const flag = critical || spellsDefault === true ? [derBoolean(critical)] : [];
  return derSequence(derOid(oid), ...flag, derOctetString(value));
}

/** An extension, and whether it writes the default of its critical flag. */
export type PlannedExtension = CertificateExtension & { readonly spellsDefault?: boolean };

/** DER in PEM, lines of 64 characters, with a newline at its end. */
export function presentPem(label: "CERTIFICATE" | "X509 CRL", der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
