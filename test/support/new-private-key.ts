import { generateKeyPairSync } from "node:crypto";

/** A private key as PEM, which nobody has seen. */
export function newPrivateKeyPem(): string {
  const encoding = { type: "pkcs8", format: "pem" } as const;
  return generateKeyPairSync("ed25519").privateKey.export(encoding).toString();
}
