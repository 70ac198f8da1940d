import { findPublicJwk } from "@cobs/cobs-model";
import type { decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";

type Key = ReadonlyMap<unknown, unknown>;

/** The one form of key that an algorithm has: its type, and the same key as a JWK. */
interface Form {
  readonly type: number;
  readonly present: (key: Key) => object;
}

/** Labels of a COSE_Key (RFC 9052 section 7.1); what the negative ones mean depends on the type. */
const TYPE = 1;
const ALGORITHM = 3;

/** Table: forms by algorithm (Web Authentication 5.8.5; labels of RFC 9053 section 7, RFC 8230 section 4). */
const FORMS: ReadonlyMap<unknown, Form> = new Map<unknown, Form>([
  [
    -7,
    {
      type: 2,
      present: (key) => ({ kty: "EC", crv: curveOf(key, 1, "P-256"), x: at(key, -2), y: at(key, -3) }),
    },
  ],
  [-8, { type: 1, present: (key) => ({ kty: "OKP", crv: curveOf(key, 6, "Ed25519"), x: at(key, -2) }) }],
  [-257, { type: 3, present: (key) => ({ kty: "RSA", n: at(key, -1), e: at(key, -2) }) }],
]);

function curveOf(key: Key, number: number, name: string): string | undefined {
  return key.get(-1) === number ? name : undefined;
}

function at(key: Key, label: number): string | undefined {
  const member = key.get(label);
  return member instanceof Uint8Array ? Buffer.from(member).toString("base64url") : undefined;
}

/**
 * Whether the key of a new passkey has the form of its algorithm, and is as strong as the key of an application must be. The
 * library compares the algorithm alone: an RSA key of 512 bits, or one with an exponent that takes long, would be kept, and
 * verified at each sign-in. `decode` is the library's; it throws for what cannot be read.
 */
export function isFitKey(publicKey: Uint8Array, decode: typeof decodeCredentialPublicKey): boolean {
  const key: unknown = decode(Uint8Array.from(publicKey));
  if (!(key instanceof Map)) return false;
  const form = FORMS.get(key.get(ALGORITHM));
  if (form === undefined || key.get(TYPE) !== form.type) return false;
  return findPublicJwk(form.present(key)) !== undefined;
}
