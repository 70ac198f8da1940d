import { hash } from "node:crypto";

/** `x5t#S256`: base64url without padding of the SHA-256 over the DER of a leaf (RFC 8705 3.1), 43 characters. */
export type CertificateThumbprint = string & { readonly brand: "CertificateThumbprint" };

/** The last of 43 characters carries four bits; any other last character would be a second spelling of the same digest. */
const form = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Parses a thumbprint from a token or a store; undefined if it is malformed. */
export function parseCertificateThumbprint(text: unknown): CertificateThumbprint | undefined {
  return typeof text === "string" && form.test(text) ? (text as CertificateThumbprint) : undefined;
}

/** Returns the thumbprint of a certificate, given as DER, which need not be valid. */
export function thumbprintOf(der: Uint8Array): CertificateThumbprint {
  return hash("sha256", der, "base64url") as CertificateThumbprint;
}
