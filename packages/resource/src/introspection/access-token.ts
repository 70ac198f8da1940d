import { hash } from "node:crypto";

/** An opaque access token as it was sent: well formed (RFC 6750 section 2.1), with nothing else known about it. */
export type AccessToken = string & { readonly brand: "AccessToken" };

/** Most bytes of a token, so that `Authorization` stays within the 1,024 of the standard. */
const MAX_TOKEN_BYTES = 1_017;

const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Parses a token; undefined when it is longer than 1,017 bytes or not a `b64token` (RFC 6750 section 2.1). */
export function parseAccessToken(text: string): AccessToken | undefined {
  return text.length <= MAX_TOKEN_BYTES && B64TOKEN.test(text) ? (text as AccessToken) : undefined;
}

/** Computes the name under which a token is remembered: a reader of the process memory cannot derive the token from it. */
export function hashOfToken(token: AccessToken): string {
  return hash("sha256", token, "base64url");
}
