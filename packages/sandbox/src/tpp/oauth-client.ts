import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildAuthorizationUrlWithPAR,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchProtectedResource,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  tokenRevocation,
} from "openid-client";
import { authenticationOf, isFapi2, type OAuthApplication } from "./oauth-authentication.ts";

export type { Fapi2Application, OAuthApplication, TppApplication } from "./oauth-authentication.ts";

/** The answer of the token endpoint. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly scope: string | undefined;
  /** Seconds from now. */
  readonly expiresIn: number | undefined;
}

/** An authorization in progress: where to send the PSU, and how to complete it. */
export interface BegunAuthorization {
  readonly url: URL;
  /** Redeems the code in the callback URL; checks `state`, `iss` and PKCE. */
  redeem(callback: URL): Promise<Tokens>;
}

/** The rest of a request to the API; the default method is GET. */
export interface SentCall {
  readonly method?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
}

/** The OAuth side of a TPP. It throws the errors of openid-client. */
export interface OAuthClient {
  begin(scope: string | undefined): Promise<BegunAuthorization>;
  refresh(refreshToken: string, scope?: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  /** Calls the API with a token; throws a challenge (RFC 6750) in the answer. */
  call(accessToken: string, url: URL, sent?: SentCall): Promise<Response>;
}

/** Reads the server's metadata, and talks to it with `fetch`, to whose certificate the tokens get bound. */
export async function openOAuthClient(
  issuer: string,
  application: OAuthApplication,
  fetch: CustomFetch,
): Promise<OAuthClient> {
  const metadata = { use_mtls_endpoint_aliases: true };
  const authentication = await authenticationOf(application);
  const options = { [customFetch]: fetch };
  const config = await discovery(new URL(issuer), application.clientId, metadata, authentication, options);
  config[customFetch] = tellingRedirectUri(fetch, application.redirectUri);
  return {
    begin: (scope) => begin(config, application, scope),
    refresh: async (refreshToken, scope) =>
      tokensOf(await refreshTokenGrant(config, refreshToken, scope === undefined ? {} : { scope })),
    revoke: (token) => tokenRevocation(config, token),
    call: (token, url, { method = "GET", headers, body } = {}) =>
      fetchProtectedResource(config, token, url, method, body, headers),
  };
}

/**
 * Sends the original redirect URI. The library would redeem a code with the callback URL without its query; the server wants
 * the redirect URI of the request (RFC 6749 4.1.3), which may have its own query.
 */
function tellingRedirectUri(fetch: CustomFetch, redirectUri: string): CustomFetch {
  return (url, options) => {
    const { body } = options;
    if (body instanceof URLSearchParams && body.has("redirect_uri")) body.set("redirect_uri", redirectUri);
    return fetch(url, options);
  };
}

/**
 * Begins an authorization. An application of profile fapi2 pushes its request, so that the PSU carries only a reference (RFC
 * 9126).
 */
async function begin(
  config: Configuration,
  application: OAuthApplication,
  scope: string | undefined,
): Promise<BegunAuthorization> {
  const pkceCodeVerifier = randomPKCECodeVerifier();
  const expectedState = randomState();
  const parameters = {
    redirect_uri: application.redirectUri,
    state: expectedState,
    code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    ...(scope !== undefined && { scope }),
  };
  const url = isFapi2(application)
    ? await buildAuthorizationUrlWithPAR(config, parameters)
    : buildAuthorizationUrl(config, parameters);
  const checks = { pkceCodeVerifier, expectedState };
  return {
    url,
    redeem: async (callback) => tokensOf(await authorizationCodeGrant(config, callback, checks)),
  };
}

function tokensOf(answer: TokenEndpointResponse & TokenEndpointResponseHelpers): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    scope: answer.scope,
    expiresIn: answer.expiresIn(),
  };
}
