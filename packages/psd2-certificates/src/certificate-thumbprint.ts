import { hash } from "node:crypto";

/** `x5t#S256`: base64url without padding of the SHA-256 over the DER of a leaf (RFC 8705 3.1), 43 characters. */
export type CertificateThumbprint = string & { readonly brand: "CertificateThumbprint" };

/** The last of 43 characters carries four bits: anything else would be a second spelling of the same digest. */
const form = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Takes a thumbprint from a token or a store; undefined when it is none. */
export function parseCertificateThumbprint(text: unknown): CertificateThumbprint | undefined {
  return typeof text === "string" && form.test(text) ? (text as CertificateThumbprint) : undefined;
}

/** The thumbprint of a certificate, given as DER; says nothing about whether the certificate is any good. */
export function thumbprintOf(der: Uint8Array): CertificateThumbprint {
  return hash("sha256", der, "base64url") as CertificateThumbprint;
}
