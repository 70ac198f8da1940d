import { generateKeyPairSync, randomBytes } from "node:crypto";
import { thumbprintOfJwk } from "@cobs/cobs-model";
import { Secret } from "@cobs/service-edge";
import type { KeyUse, MadeKey } from "./server-key.ts";
import { parseSigningKeys, type SigningKey } from "./signing-keys.ts";

const COOKIE_KEY_BYTES = 32;
const COOKIE_KEY_ID_BYTES = 16;

function makeSigningKey(): MadeKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [key] = parseSigningKeys(JSON.stringify({ keys: [privateKey.export({ format: "jwk" })] })).keys;
  if (key === undefined) throw new TypeError("the generated key is invalid");
  return nameSigningKey(key);
}

function makeCookieKey(): MadeKey {
  return nameCookieKey(randomBytes(COOKIE_KEY_BYTES).toString("base64url"));
}

/** Names a signing key by its `kid`, or by its thumbprint when it has none (RFC 7638). */
export function nameSigningKey(key: SigningKey): MadeKey {
  const { kty, crv, x, y, kid = thumbprintOfJwk({ kty, crv, x, y }) } = key;
  return { kid, secret: new Secret(JSON.stringify({ ...key, kid })) };
}

/** Names a cookie key at random, so that the name reveals nothing of the key. */
export function nameCookieKey(text: string): MadeKey {
  return { kid: randomBytes(COOKIE_KEY_ID_BYTES).toString("base64url"), secret: new Secret(text) };
}

/** Makes a key: ES256 on P-256 (RFC 7518 3.4), or 256 random bits. */
export function makeKey(use: KeyUse): MadeKey {
  const key = use === "signing" ? makeSigningKey() : makeCookieKey();
  // A command line would read such a name as an option.
  return key.kid.startsWith("-") ? makeKey(use) : key;
}
