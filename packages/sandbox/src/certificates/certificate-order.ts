/**
 * An order to the test CA: every part of a certificate, the authority above it, and its later revocation status. A valid order
 * is made from a profile; a defect or an oddity replaces exactly one thing in it.
 */
import { extensionOids, replaceExtension } from "./certificate-extension.ts";
import type { KeyType } from "./certificate-key.ts";
import { type NameAttribute, type PlannedExtension, randomSerial, version3 } from "./certificate-plan.ts";
import type { RevocationReason } from "./crl.ts";
import { derTime } from "./der.ts";
import type { SignatureName } from "./signature-algorithms.ts";
import { encodeAttribute } from "./subject-attribute.ts";
import { authorityExtensions, authorityName } from "./test-ca.ts";
import { describeTppCertificate, type RevocationSources, sourceExtensions } from "./tpp-certificate.ts";
import type { TppProfile } from "./tpp-profile.ts";
import { daysAround } from "./validity.ts";

/** Who signs: an authority of the test CA, the certificate itself, or an authority issued with the order. */
export type OrderedIssuer =
  | { readonly kind: "issuing" | "unknown" | "itself" }
  | {
      readonly kind: "ordered";
      readonly order: CertificateOrder;
      /** Whether the holder presents it in the handshake. */
      readonly presented: boolean;
    };

/** Every part of one certificate; DER members are used as they are. */
export type CertificateOrder = {
  /** Base name of its files. */
  readonly name: string;
  readonly version: Uint8Array;
  readonly serial: Uint8Array;
  readonly subject: readonly NameAttribute[];
  readonly notBefore: Uint8Array;
  readonly notAfter: Uint8Array;
  readonly extensions: readonly PlannedExtension[];
  readonly keyType: KeyType;
  readonly signedWith: SignatureName | undefined;
  readonly outerAlgorithm: Uint8Array | undefined;
  readonly issuer: OrderedIssuer;
  /** Changes the octets after signing. */
  readonly afterSigning: (der: Buffer) => Buffer;
  /** Reason of revocation, if its authority has revoked it. */
  readonly revoked: RevocationReason | undefined;
  /** Time of the order, and the revocation sources under the issuing authority. */
  readonly now: Date;
  readonly sources: RevocationSources;
};

/** When an order is carried out, and the revocation sources that its certificates name. */
export type OrderCircumstances = { readonly now: Date; readonly sources: RevocationSources };

/** The order of the certificate that a profile describes, right or wrong. */
export function orderOfProfile(profile: TppProfile, { now, sources }: OrderCircumstances): CertificateOrder {
  const description = describeTppCertificate(profile, now, sources);
  return {
    ...unchanged({ now, sources }),
    name: profile.name,
    subject: description.subject.map(encodeAttribute),
    notBefore: derTime(description.validity.notBefore),
    notAfter: derTime(description.validity.notAfter),
    extensions: description.extensions,
    keyType: profile.keyType,
    issuer: { kind: profile.issuer },
  };
}

/** The order of a valid authority below the issuing one, valid for ten years around now. */
export function orderOfAuthority(name: string, { now, sources }: OrderCircumstances): CertificateOrder {
  const { notBefore, notAfter } = daysAround(now, { fromDays: -365, untilDays: 3285 });
  return {
    ...unchanged({ now, sources }),
    name,
    subject: authorityName(`COBS Sandbox ${name}`).map(encodeAttribute),
    notBefore: derTime(notBefore),
    notAfter: derTime(notAfter),
    extensions: [...authorityExtensions, ...sourceExtensions(sources)],
    keyType: "P-256",
    issuer: { kind: "issuing" },
  };
}

/** Puts a certificate under its own authority, which has its own CRL (`<name>.crl`). */
export function under(
  order: CertificateOrder,
  authority: CertificateOrder,
  presented = true,
): Pick<CertificateOrder, "issuer" | "extensions"> {
  const { crl } = order.sources;
  const sources = {
    ...order.sources,
    crl: crl === undefined ? undefined : new URL(`${authority.name}.crl`, crl).href,
  };
  const isPoint = ({ oid }: PlannedExtension) => oid === extensionOids.crlDistributionPoints;
  const named = order.extensions.some(isPoint) ? sourceExtensions(sources).filter(isPoint) : [];
  return {
    issuer: { kind: "ordered", order: authority, presented },
    extensions: named.reduce<readonly PlannedExtension[]>(replaceExtension, order.extensions),
  };
}

/** The order with a new serial number, for another certificate (RFC 5280 4.1.2.2). */
export function withOwnSerial(order: CertificateOrder): CertificateOrder {
  return { ...order, serial: randomSerial() };
}

function unchanged({ now, sources }: OrderCircumstances) {
  return {
    version: version3,
    serial: randomSerial(),
    signedWith: undefined,
    outerAlgorithm: undefined,
    afterSigning: (der: Buffer) => der,
    revoked: undefined,
    now,
    sources,
  } as const;
}
