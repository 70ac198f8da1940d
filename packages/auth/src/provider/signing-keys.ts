import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { ExternalSigningKey, type JWKS } from "oidc-provider";
import type { SigningKey, SigningKeys } from "../keys/signing-keys.ts";

/** ECDSA signatures as in JWS: both numbers, each in 32 bytes (RFC 7518 section 3.4). */
const JWS_ENCODING = "ieee-p1363";

/**
 * A key that signs in our code; the provider sees only its public part. It signs synchronously: WebCrypto, which the
 * provider would use, signs in another thread, and the way there and back costs more than the signature.
 */
class OwnSigningKey extends ExternalSigningKey {
  readonly #private: KeyObject;

  constructor({ kty, crv, x, y, d, kid }: SigningKey) {
    super();
    this.#private = createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" });
    // The types lack these setters. Without a `kid`, the provider uses the thumbprint of RFC 7638.
    Object.assign(this, { alg: "ES256", ...(kid !== undefined && { kid }) });
  }

  override keyObject(): KeyObject {
    return createPublicKey(this.#private);
  }

  override sign(data: Uint8Array): Uint8Array {
    return sign("sha256", data, { key: this.#private, dsaEncoding: JWS_ENCODING });
  }
}

/** Converts the keys for the provider, in the same order: the first signs, all are published. */
export function providerKeys({ keys }: SigningKeys): JWKS {
  return { keys: keys.map((key) => new OwnSigningKey(key)) };
}
