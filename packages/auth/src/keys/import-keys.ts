import type { Secret } from "@cobs/service-edge";
import { parseCookieKeys } from "./cookie-keys.ts";
import { nameCookieKey, nameSigningKey } from "./make-key.ts";
import type { MadeKey } from "./server-key.ts";
import { parseSigningKeys } from "./signing-keys.ts";

/** Reads the signing keys of a JWK set; throws as {@link parseSigningKeys} does. */
export function importSigningKeys(set: Secret): readonly MadeKey[] {
  return parseSigningKeys(set.reveal()).keys.map(nameSigningKey);
}

/** Reads the cookie keys of a list; throws as {@link parseCookieKeys} does. */
export function importCookieKeys(list: Secret): readonly MadeKey[] {
  return parseCookieKeys(list.reveal()).map(nameCookieKey);
}
