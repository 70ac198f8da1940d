import { EdgeRefusal, type IncomingCall } from "@cobs/service-edge";
import { type AccessToken, parseAccessToken } from "../introspection/access-token.ts";

/** What a call sent as its token: nothing, one token in the right place, or something that is not read as a token. */
export type SentToken =
  | { readonly kind: "absent" }
  | { readonly kind: "token"; readonly token: AccessToken }
  | { readonly kind: "token_malformed" | "token_in_query" | "token_repeated" };

/** Finds the token of a call. It counts only in `Authorization`, whose scheme may be in any case (RFC 6750 section 2.1). */
export function readAccessToken(call: IncomingCall): SentToken {
  const sent = readAuthorization(call);
  if (!call.query.has("access_token")) return sent;
  return { kind: sent.kind === "absent" ? "token_in_query" : "token_repeated" };
}

function readAuthorization(call: IncomingCall): SentToken {
  try {
    return readCredentials(call.header("authorization") ?? "");
  } catch (error) {
    if (error instanceof EdgeRefusal && error.code === "header_repeated") return { kind: "token_repeated" };
    throw error;
  }
}

function readCredentials(authorization: string): SentToken {
  const space = authorization.indexOf(" ");
  const scheme = space === -1 ? authorization : authorization.slice(0, space);
  // Another scheme carries no access token.
  if (scheme.toLowerCase() !== "bearer") return { kind: "absent" };
  const token = parseAccessToken(authorization.slice(scheme.length).replace(/^ +/, ""));
  return token === undefined ? { kind: "token_malformed" } : { kind: "token", token };
}
