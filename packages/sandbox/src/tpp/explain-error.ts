import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { FileKept } from "../files/in-turn.ts";
import { refusedByServer } from "./refused-by-server.ts";
import { TppRefusal } from "./tpp-refusal.ts";

const NOT_RUNNING: readonly string[] = [
  "ECONNREFUSED",
  "ECONNRESET",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
];
/**
 * Codes of an untrusted certificate. The sandbox renews its certificates when it starts, and another sandbox or program may be
 * listening instead.
 */
const NOT_TRUSTED: readonly string[] = [
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];
/** Table: what to do about errors of the token endpoint (RFC 6749 5.2). */
const TOKEN_HINTS: Readonly<Record<string, string>> = {
  invalid_grant: "Ask the PSU for a new consent with: npm run tpp -- authorize",
  invalid_client:
    "npm run tpp -- applications lists those that the bank still has; npm run tpp -- register makes another",
};
const START_HINT = "Is the sandbox running? Start it with: npm start";
const RESTART_HINT = "End whatever runs at its ports, and start the sandbox again: npm start";

/** Turns errors of the libraries into a refusal with the server's own words; gives any other back as it is. */
export async function explainError(error: unknown): Promise<unknown> {
  if (error instanceof TppRefusal) return error;
  if (error instanceof FileKept)
    return new TppRefusal("unreadable", error.message, undefined, { cause: error });
  if (error instanceof AuthorizationResponseError) return declined(error);
  if (error instanceof WWWAuthenticateChallengeError) return challenged(error);
  if (error instanceof ResponseBodyError)
    return refusedByServer(error.status, JSON.stringify(error.cause), { hint: TOKEN_HINTS[error.error] });
  const silence = codesOf(error).find((code) => NOT_RUNNING.includes(code));
  if (silence !== undefined)
    return new TppRefusal("no_sandbox", `the server does not answer (${silence})`, START_HINT);
  const distrust = codesOf(error).find((code) => NOT_TRUSTED.includes(code));
  if (distrust !== undefined)
    return new TppRefusal("no_sandbox", `the server is not this sandbox (${distrust})`, RESTART_HINT);
  if (error instanceof ClientError) return unexpectedAnswer(error);
  return error;
}

function declined(error: AuthorizationResponseError): TppRefusal {
  const words = [error.error, error.error_description].filter((part) => part !== undefined).join(", ");
  return new TppRefusal("not_authorized", `the bank sent the PSU back without a code: ${words}`);
}

async function challenged(error: WWWAuthenticateChallengeError): Promise<TppRefusal> {
  return refusedByServer(error.status, await error.response.text());
}

async function unexpectedAnswer(error: ClientError): Promise<TppRefusal> {
  const answer = error.cause instanceof Response && !error.cause.bodyUsed ? error.cause : undefined;
  if (answer !== undefined) return refusedByServer(answer.status, await answer.text(), { cause: error });
  return new TppRefusal("refused", error.message, undefined, { cause: error });
}

function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...inner, ...codesOf(error.cause)];
}
