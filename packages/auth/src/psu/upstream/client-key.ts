import { createPrivateKey } from "node:crypto";

/** The algorithms that this server signs its assertions with (RFC 7518 3.1). */
export type ClientKeyAlgorithm = "ES256" | "PS256" | "RS256";

/** The private key with which this server authenticates at the bank's provider, as a JWK (RFC 7517). */
export interface ClientKey {
  readonly jwk: Readonly<Record<string, string>>;
  readonly algorithm: ClientKeyAlgorithm;
  readonly kid: string | undefined;
}

const SMALLEST_RSA_BITS = 2_048;

/** Reads a private JWK; throws an Error whose sentence says what is wrong, without any part of the key. */
export function parseClientKey(text: string): ClientKey {
  const members = parseMembers(text);
  const jwk = Object.fromEntries(
    [...members].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  return { jwk, algorithm: requireAlgorithm(jwk, members.get("alg")), kid: jwk.kid };
}

// The error of JSON.parse repeats a part of the text, which is a key.
function parseMembers(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch {
    throw new Error("is not a JWK");
  }
}

/** The algorithm that the JWK names, or the key's default when it names none; throws when the key cannot sign with it here. */
function requireAlgorithm(jwk: Readonly<Record<string, string>>, named: unknown): ClientKeyAlgorithm {
  const possible = algorithmsOf(jwk);
  const algorithm = possible.find((each) => named === undefined || each === named);
  if (algorithm === undefined) throw new Error(`has an alg that is not ${possible.join(" or ")}`);
  return algorithm;
}

/** The algorithms that a key can sign with, the default first. */
function algorithmsOf(jwk: Readonly<Record<string, string>>): readonly ClientKeyAlgorithm[] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = readKey(jwk);
  if (type === "ec" && details?.namedCurve === "prime256v1") return ["ES256"];
  if (type === "rsa" && (details?.modulusLength ?? 0) >= SMALLEST_RSA_BITS) return ["PS256", "RS256"];
  throw new Error(`is neither an EC key on P-256 nor an RSA key of ${SMALLEST_RSA_BITS} bits or more`);
}

function readKey(key: Readonly<Record<string, string>>) {
  try {
    return createPrivateKey({ key, format: "jwk" });
  } catch {
    throw new Error("is not a private key as a JWK");
  }
}
