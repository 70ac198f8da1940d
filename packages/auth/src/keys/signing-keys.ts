import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { isJsonObject } from "@cobs/service-edge";

/** A public key on P-256 as a JWK (RFC 7517, RFC 7518 6.2). */
export interface PublicPoint {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
}

/** A key on P-256 with its private part. */
export interface SigningKey extends PublicPoint {
  readonly d: string;
  readonly kid?: string;
}

/** Keys that introspection answers are signed with: the first one signs, all are published. */
export interface SigningKeys {
  readonly keys: readonly SigningKey[];
}

function isSigningKey(value: unknown): value is SigningKey {
  if (!isJsonObject(value)) return false;
  const isText = (name: string) => typeof value[name] === "string";
  return value.kty === "EC" && value.crv === "P-256" && ["x", "y", "d"].every(isText);
}

// The error of JSON.parse quotes the text, which is a key.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("is not JSON");
  }
}

/** Reads a private JWK set; throws an Error that says what is wrong without quoting a key. */
export function parseSigningKeys(text: string): SigningKeys {
  const set = parseJson(text);
  const keys = isJsonObject(set) ? set.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0) throw new Error("is not a JWK set with at least one key");
  if (!keys.every(isSigningKey)) throw new Error("contains a key that is not a private EC key on P-256");
  const names = keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid]));
  if (new Set(names).size < names.length) throw new Error("contains two keys with the same kid");
  return { keys: keys.map(({ kty, crv, x, y, d, kid }) => ({ kty, crv, x, y, d, ...(kid && { kid }) })) };
}

const TRIED = Buffer.from("a signature that is tried");

/** Tells whether the public part, which all verifiers get, verifies a signature of the private part. */
function isPair({ kty, crv, x, y, d }: SigningKey): boolean {
  try {
    const key = createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" });
    return verify("sha256", TRIED, createPublicKey(key), sign("sha256", TRIED, key));
  } catch {
    return false;
  }
}

/** Reads a JWK set written by a person, as {@link parseSigningKeys} does, and tries its keys, because imported keys stay. */
export function parseGivenSigningKeys(text: string): SigningKeys {
  const given = parseSigningKeys(text);
  if (!given.keys.every(isPair))
    throw new Error("contains a key whose private and public parts do not match");
  return given;
}
