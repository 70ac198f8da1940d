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

/** What the token endpoint answered. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly scope: string | undefined;
  /** Seconds, from now. */
  readonly expiresIn: number | undefined;
}

/** An authorization that was begun: where the PSU goes, and what ends it. */
export interface BegunAuthorization {
  readonly url: URL;
  /** Redeems the code of the address that the PSU came back with; `state`, `iss` and PKCE are checked. */
  redeem(callback: URL): Promise<Tokens>;
}

/** What is sent to the API beside the token; without a method it is a GET. */
export interface SentCall {
  readonly method?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
}

/** The OAuth side of a TPP. Errors are those of openid-client. */
export interface OAuthClient {
  begin(scope: string | undefined): Promise<BegunAuthorization>;
  refresh(refreshToken: string, scope?: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  /** Calls the API with a token; a challenge (RFC 6750) in the answer is thrown. */
  call(accessToken: string, url: URL, sent?: SentCall): Promise<Response>;
}

/** Reads the server's metadata, and speaks to it over `fetch`, whose certificate the tokens get bound to. */
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
 * The library redeems a code with the address that the PSU came back to, less its query. The server wants the redirect URI that
 * was asked with (RFC 6749 4.1.3), which may have a query of its own.
 */
function tellingRedirectUri(fetch: CustomFetch, redirectUri: string): CustomFetch {
  return (url, options) => {
    const { body } = options;
    if (body instanceof URLSearchParams && body.has("redirect_uri")) body.set("redirect_uri", redirectUri);
    return fetch(url, options);
  };
}

/** An application of profile fapi2 pushes its request, and the PSU carries no more than the reference (RFC 9126). */
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
