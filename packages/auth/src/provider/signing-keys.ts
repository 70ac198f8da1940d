import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { ExternalSigningKey, type JWKS } from "oidc-provider";
import type { SigningKey, SigningKeys } from "../keys/signing-keys.ts";

/** As JWS has a signature of ECDSA: both numbers, each in 32 bytes (RFC 7518 section 3.4). */
const JWS_ENCODING = "ieee-p1363";

/**
 * A key that signs on our side; the provider sees only its public part. It signs synchronously: WebCrypto, which the
 * provider would use, has another thread make each signature, and the way there and back costs more than the
 * signature.
 */
class OwnSigningKey extends ExternalSigningKey {
  readonly #private: KeyObject;

  constructor({ kty, crv, x, y, d, kid }: SigningKey) {
    super();
    this.#private = createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" });
    // Its setters are not in the types; without a name the provider gives the thumbprint of RFC 7638.
    Object.assign(this, { alg: "ES256", ...(kid !== undefined && { kid }) });
  }

  override keyObject(): KeyObject {
    return createPublicKey(this.#private);
  }

  override sign(data: Uint8Array): Uint8Array {
    return sign("sha256", data, { key: this.#private, dsaEncoding: JWS_ENCODING });
  }
}

/** The keys as the provider takes them, in the same order: the first signs, all are published. */
export function providerKeys({ keys }: SigningKeys): JWKS {
  return { keys: keys.map((key) => new OwnSigningKey(key)) };
}
