import { generateKeyPairSync, type JsonWebKey } from "node:crypto";

/** A key pair of an application; the private key stays with its TPP. */
export interface ApplicationKey {
  readonly privateKey: JsonWebKey;
  /** The key set to register (RFC 7517). */
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
}

/** Makes a key on P-256, for ES256 (FAPI 2.0 5.4.1). */
export function createApplicationKey(): ApplicationKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privateKey: privateKey.export({ format: "jwk" }),
    jwks: { keys: [publicKey.export({ format: "jwk" })] },
  };
}
