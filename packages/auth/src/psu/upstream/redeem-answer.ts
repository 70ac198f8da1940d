import { type Log, PrivateServiceUnavailable } from "@cobs/service-edge";
import * as oidc from "openid-client";
import type { ProvenClaims } from "./judge-claims.ts";
import { reasonOf, UPSTREAM } from "./upstream-provider.ts";
import { UpstreamRefusal } from "./upstream-refusal.ts";

/** What the answer to one question must match. */
export interface UpstreamChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** What an answer is redeemed with. */
export interface Redeeming {
  readonly configuration: oidc.Configuration;
  /** Where browsers come back, as registered at the provider. */
  readonly redirectUri: string;
  readonly log: Log;
}

const MAX_REASON_CHARACTERS = 100;

/** Errors of the provider or on the way to it, which can be over in a moment. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_TIMEOUT",
]);

/**
 * Redeems what a browser came back with: an answer of this provider (RFC 9207) to this question. Its code gives an ID token whose
 * issuer, audience, nonce, lifetime, algorithm and signature are proven (OIDC Core 3.1.3.7). Whether the authentication was
 * strong and fresh is not known yet. Refuses with `declined`, `code_refused`, `answer_untrusted`; throws
 * `PrivateServiceUnavailable`.
 */
export async function redeemAnswer(
  { configuration, redirectUri, log }: Redeeming,
  parameters: URLSearchParams,
  { state, nonce, codeVerifier }: UpstreamChecks,
): Promise<ProvenClaims> {
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${parameters}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    return tokens.claims() ?? {};
  } catch (error) {
    throw explain(error, log);
  }
}

function explain(error: unknown, log: Log): Error {
  // Only a browser says so, and its user can write any error into the address: no such error counts as a fault of ours.
  if (error instanceof oidc.AuthorizationResponseError) return new UpstreamRefusal("declined", error.error);
  if (error instanceof oidc.ResponseBodyError) {
    if (error.error === "invalid_grant") return new UpstreamRefusal("code_refused", error.error);
    return unavailable(log, error.error);
  }
  if (error instanceof oidc.WWWAuthenticateChallengeError) return unavailable(log, "invalid_client");
  if (error instanceof oidc.ClientError) {
    if (error.cause instanceof PrivateServiceUnavailable) return error.cause;
    if (UNAVAILABLE.has(error.code ?? "") && !isAboutToken(error)) return unavailable(log, reasonOf(error));
    return new UpstreamRefusal("answer_untrusted", `${kindOf(error)}: ${wrongIn(error)}`);
  }
  // The client uses the published keys as if each member had its type; WebCrypto refuses those that do not.
  if (error instanceof TypeError)
    return new UpstreamRefusal("answer_untrusted", `TypeError: ${error.message}`);
  return error instanceof Error
    ? error
    : new Error("the OpenID client threw something that is not an Error", { cause: error });
}

/** Whether what cannot be parsed is the ID token, which came whole: the client has the same code for half an answer. */
function isAboutToken({ cause }: oidc.ClientError): boolean {
  return cause instanceof Error && cause.message.startsWith("failed to parse JWT");
}

/** The client's code. It is missing when WebCrypto rejects a published key, and for errors that the client does not know. */
function kindOf({ code, cause }: oidc.ClientError): string {
  if (code !== undefined) return code;
  return cause instanceof DOMException ? "published key" : "unknown";
}

/** The parameter or claim that the client objects to, without its value; the client's own message only has the kind of error. */
function wrongIn({ cause, message }: Error): string {
  return cause instanceof Error ? cause.message : message;
}

/** What the provider itself says, also of our registration there: all that the PSU can do is come again later. */
function unavailable(log: Log, told: string | undefined): PrivateServiceUnavailable {
  const reason = (told ?? "unknown").slice(0, MAX_REASON_CHARACTERS);
  log.error({ reason }, "the bank's OpenID provider answered with an error");
  // Not the client's own error, which holds the parameters and the body.
  return new PrivateServiceUnavailable(UPSTREAM, { cause: new Error(reason) });
}
