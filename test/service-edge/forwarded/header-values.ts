import { createHash, X509Certificate } from "node:crypto";

/** A certificate as RFC 9440 writes it. */
export function byteSequence(der: Buffer): string {
  return `:${der.toString("base64")}:`;
}

/** A certificate as nginx and Envoy write it. */
export function escapedPem(...certificates: readonly Buffer[]): string {
  const pem = certificates.map((der) => new X509Certificate(der).toString()).join("");
  return escapeAsProxies(pem);
}

/** URL encoding of all that PEM holds. */
export function escapeAsProxies(text: string): string {
  return encodeURIComponent(text);
}

/** Envoy's header with `Hash` and `Cert`, and more pairs. */
export function envoyElement(der: Buffer, ...more: readonly string[]): string {
  const hash = createHash("sha256").update(der).digest("hex");
  return [`Hash=${hash}`, `Cert="${escapedPem(der)}"`, ...more].join(";");
}
