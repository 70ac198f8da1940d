/**
 * Public keys with which an application signs (RFC 7517), as in a registration. Only keys that FAPI 2.0 5.4.1 allows are
 * accepted, and only the members that identify a key are kept, so that everything kept can be public.
 */
import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";

/** A public signing key; `alg` and `kid` only if they were registered. */
export type PublicJwk = Readonly<Record<string, string>> & {
  readonly kty: "EC" | "RSA" | "OKP";
  readonly kid?: string;
};

/** One to ten keys with distinct `kid`s. */
export type PublicJwks = { readonly keys: readonly PublicJwk[] };

type Rule = {
  readonly kty: PublicJwk["kty"];
  /** Members that make up the key (RFC 7518 6, RFC 8037 2). */
  readonly members: readonly string[];
  readonly alg: string;
  readonly isStrong: (key: KeyObject) => boolean;
};

const MAX_KEYS = 10;
const MAX_KID = 255;
const MAX_MEMBER = 1_400;
const RSA_BITS = { min: 2_048, max: 8_192 };
/**
 * FIPS 186-5 5.4: greater than 2^16. With an exponent of more than 64 bits, OpenSSL verifies no signature of a key of more
 * than 3,072 bits, and with shorter keys takes hundreds of times longer.
 */
const RSA_EXPONENTS = { min: 2n ** 16n + 1n, max: 2n ** 64n - 1n };
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const PRINTABLE = /^[\x20-\x7e]+$/;
const SECRET_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

/** FAPI 2.0 5.4.1: ES256, PS256, EdDSA; RSA with 2,048 bits or more. */
const RULES: readonly Rule[] = [
  {
    kty: "EC",
    members: ["crv", "x", "y"],
    alg: "ES256",
    isStrong: ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === "prime256v1",
  },
  {
    kty: "OKP",
    members: ["crv", "x"],
    alg: "EdDSA",
    isStrong: ({ asymmetricKeyType }) => asymmetricKeyType === "ed25519",
  },
  { kty: "RSA", members: ["n", "e"], alg: "PS256", isStrong: isStrongRsa },
];

function isStrongRsa({ asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  const isLong = modulusLength >= RSA_BITS.min && modulusLength <= RSA_BITS.max;
  const isUsual = publicExponent >= RSA_EXPONENTS.min && publicExponent <= RSA_EXPONENTS.max;
  return isLong && isUsual && publicExponent % 2n === 1n;
}

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return undefined;
  }
}

/** Whether a member is absent, or has the value required of a signing key. */
function suits(given: ReadonlyMap<string, unknown>, { alg }: Rule): boolean {
  const absentOr = (name: string, wanted: unknown) => [undefined, wanted].includes(given.get(name));
  const operations = given.get("key_ops");
  const mayVerify = operations === undefined || (Array.isArray(operations) && operations.join() === "verify");
  return mayVerify && absentOr("use", "sig") && absentOr("alg", alg);
}

function isKid(kid: unknown): boolean {
  return kid === undefined || (typeof kid === "string" && kid.length <= MAX_KID && PRINTABLE.test(kid));
}

/** Reads one key; undefined for a private one, and for one that is too weak or not for signing (FAPI 2.0 5.4.1). */
export function findPublicJwk(value: unknown): PublicJwk | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = new Map<string, unknown>(Object.entries(value));
  const rule = RULES.find(({ kty }) => kty === given.get("kty"));
  if (rule === undefined || SECRET_MEMBERS.some((member) => given.has(member))) return undefined;
  if (!suits(given, rule) || !isKid(given.get("kid"))) return undefined;
  const jwk = keptMembers(given, rule);
  const key = jwk && importKey(jwk);
  return jwk && key && rule.isStrong(key) && isCanonical(key, jwk, rule) ? jwk : undefined;
}

/** Whether a key is written exactly as RFC 7518 6 requires, to the byte: readers differ about anything else. */
function isCanonical(key: KeyObject, jwk: PublicJwk, { members }: Rule): boolean {
  const written = new Map<string, unknown>(Object.entries(key.export({ format: "jwk" })));
  return members.every((member) => written.get(member) === jwk[member]);
}

function keptMembers(given: ReadonlyMap<string, unknown>, { kty, members }: Rule): PublicJwk | undefined {
  const kept: Record<string, string> = {};
  for (const member of members) {
    const value = given.get(member);
    if (typeof value !== "string" || value.length > MAX_MEMBER || !BASE64URL.test(value)) return undefined;
    kept[member] = value;
  }
  for (const member of ["alg", "kid"]) {
    const value = given.get(member);
    if (typeof value === "string") kept[member] = value;
  }
  return { ...kept, kty };
}

/** A fault of a key set, and its path. */
export type JwksFault = { readonly path: string; readonly wrong: string };

const WRONG_SET = `must be a JWK Set of 1 to ${MAX_KEYS} keys`;
const WRONG_KEY = `must be a public signing key: P-256, Ed25519, or RSA of ${RSA_BITS.min} to ${RSA_BITS.max} bits, without private members`;
const WRONG_USE =
  'is a public signing key with wrong members: alg must be ES256 (P-256), EdDSA (Ed25519) or PS256 (RSA), use sig, key_ops ["verify"], kid text; each may be left out';
const WRONG_KIDS = "has several keys, so each needs a kid of its own";

/** FAPI 2.0 5.6.3: no two keys of a set share a name. A key without `kid` is accepted only when it is alone. */
function areDistinct(keys: readonly PublicJwk[]): boolean {
  const kids = new Set(keys.map(({ kid }) => kid));
  return kids.size === keys.length && (keys.length === 1 || !kids.has(undefined));
}

/** Members that state the use of a key, in addition to the key itself. */
const USE_MEMBERS: readonly string[] = ["alg", "use", "key_ops", "kid"];

/** Says whether a key itself is refused, or only its stated use. */
function wrongOf(value: unknown): string {
  const bare = Object.entries(Object(value)).filter(([name]) => !USE_MEMBERS.includes(name));
  return findPublicJwk(Object.fromEntries(bare)) === undefined ? WRONG_KEY : WRONG_USE;
}

/** Reads `jwks`: returns the set, or every fault of it with its path. */
export function readPublicJwks(value: unknown): PublicJwks | { readonly faults: readonly JwksFault[] } {
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS)
    return { faults: [{ path: "jwks", wrong: WRONG_SET }] };
  const read = keys.map(findPublicJwk);
  const faults = read.flatMap((key, position) =>
    key === undefined ? [{ path: `jwks.keys[${position}]`, wrong: wrongOf(keys[position]) }] : [],
  );
  if (faults.length > 0) return { faults };
  const taken = read.filter((key) => key !== undefined);
  return areDistinct(taken) ? { keys: taken } : { faults: [{ path: "jwks", wrong: WRONG_KIDS }] };
}

/** A published set may hold keys for other purposes, but no genuine set has more than this. */
const MAX_PUBLISHED_KEYS = 100;

/** The signing keys that a TPP publishes; undefined if there are none, more than ten, or two with one name. */
export type PublishedJwks = { readonly signing: PublicJwks | undefined };

/**
 * Reads a set that a TPP publishes at its `jwks_uri`, ignoring keys that may not sign; undefined if it is not a set (RFC 7517
 * 5). A set without a signing key is valid, and says that there is none.
 */
export function findPublishedJwks(value: unknown): PublishedJwks | undefined {
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  if (!Array.isArray(keys)) return undefined;
  if (keys.length > MAX_PUBLISHED_KEYS) return { signing: undefined };
  const taken = keys.map(findPublicJwk).filter((key) => key !== undefined);
  const isUsable = taken.length > 0 && taken.length <= MAX_KEYS && areDistinct(taken);
  return { signing: isUsable ? { keys: taken } : undefined };
}

/** Returns a name that follows from the key alone: SHA-256 of its members in order of name (RFC 7638). */
export function thumbprintOfJwk(jwk: PublicJwk): string {
  const members = Object.entries(jwk).filter(([name]) => name !== "alg" && name !== "kid");
  const sorted = members.sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify(Object.fromEntries(sorted)))
    .digest("base64url");
}
