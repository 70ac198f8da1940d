import { WWWAuthenticateChallengeError } from "openid-client";
import { refusedByServer } from "./refused-by-server.ts";
import type { KeptTokens } from "./tpp-memory.ts";

const AUTHORIZE = "npm run tpp -- authorize";
const NO_REFRESH_TOKEN = `The access token is not accepted any more, and there is no refresh token. Get both with: ${AUTHORIZE}`;
const REFRESH = `The access token is not accepted any more. Get another with: npm run tpp -- refresh, or if that is refused: ${AUTHORIZE}`;

/**
 * Turns the refusal of an access token (RFC 6750 3.1) into one that says which command gives another token; gives any other
 * error back as it is. Why the token is refused is not known here.
 */
export async function explainRefusedToken(error: unknown, { refreshToken }: KeptTokens): Promise<unknown> {
  if (!(error instanceof WWWAuthenticateChallengeError && blamesToken(error))) return error;
  const hint = refreshToken === undefined ? NO_REFRESH_TOKEN : REFRESH;
  return refusedByServer(error.status, await error.response.text(), { cause: error, hint });
}

/** Whether the token is at fault, and not, for example, the certificate, against which another token would not help. */
function blamesToken({ cause }: WWWAuthenticateChallengeError): boolean {
  return cause.some(({ parameters }) => parameters.error === "invalid_token");
}
