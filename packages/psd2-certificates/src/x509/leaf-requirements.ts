import { CertificateRefusal } from "../certificate-refusal.ts";
import { type Certificate, clientAuth, keyUsageBits } from "./certificate.ts";
import { unsupportedExtension } from "./critical-extensions.ts";
import { weaknessOfKey, weaknessOfSignature } from "./strength.ts";

/** When a certificate is valid, in milliseconds, both ends inclusive (RFC 5280 4.1.2.5). */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Refuses with `certificate_not_yet_valid` or `certificate_expired`. */
export function requireWithinValidity({ notBefore, notAfter }: Validity, now: Date): void {
  const time = now.getTime();
  if (time < notBefore)
    throw new CertificateRefusal(
      "certificate_not_yet_valid",
      `valid from ${new Date(notBefore).toISOString()}`,
    );
  // Written so that NaN refuses too.
  if (!(time <= notAfter))
    throw new CertificateRefusal("certificate_expired", `valid until ${new Date(notAfter).toISOString()}`);
}

/** Refuses with `signature_weak`. */
export function requireStrongSignature(leaf: Certificate): void {
  const weakness = weaknessOfSignature(leaf);
  if (weakness !== undefined) throw new CertificateRefusal("signature_weak", weakness);
}

/** Refuses with `key_weak`. */
export function requireStrongKey(leaf: Certificate): void {
  const weakness = weaknessOfKey(leaf);
  if (weakness !== undefined) throw new CertificateRefusal("key_weak", weakness);
}

/**
 * Refuses with `extension_unsupported`, also for critical qcStatements. EN 319 412-5 QCS-4.1-02 forbids these, and OpenSSL
 * never lets them through, so a proxy in front must make no difference.
 */
export function requireSupportedExtensions(leaf: Certificate): void {
  const oid = unsupportedExtension(leaf);
  if (oid !== undefined)
    throw new CertificateRefusal("extension_unsupported", `unsupported critical extension ${oid}`);
}

/**
 * Refuses with `purpose_not_client` (RFC 5280 4.2.1.3, 4.2.1.9, 4.2.1.12). clientAuth must be named: a certificate without
 * purposes, or for any purpose, was not issued for this one.
 */
export function requireClientPurpose({ authority, keyUsage, purposes }: Certificate): void {
  if (authority !== undefined)
    throw new CertificateRefusal("purpose_not_client", "the certificate is that of an authority");
  if (purposes?.has(clientAuth) !== true)
    throw new CertificateRefusal("purpose_not_client", "no clientAuth in extKeyUsage");
  if (keyUsage?.has(keyUsageBits.digitalSignature) === false)
    throw new CertificateRefusal("purpose_not_client", "no digitalSignature in keyUsage");
}
