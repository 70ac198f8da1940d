import { importJWK } from "jose";
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomState,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processPushedAuthorizationResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  protectedResourceRequest,
  pushedAuthorizationRequest,
  refreshTokenGrantRequest,
  revocationRequest,
  TlsClientAuth,
  type TokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi";
import type {
  BegunAuthorization,
  OAuthApplication,
  openOAuthClient,
  Tokens,
} from "../../packages/sandbox/src/tpp/oauth-client.ts";

interface Session {
  readonly as: AuthorizationServer;
  readonly client: Client;
  readonly authentication: ClientAuth;
  readonly application: OAuthApplication;
  readonly options: { readonly [customFetch]: Parameters<typeof openOAuthClient>[2] };
}

/**
 * The OAuth side of a TPP on oauth4webapi, step by step: it reads RFC 8414 metadata and the aliases for mutual TLS, and checks
 * every answer of the server by its own rules.
 */
export const openOnOauth4webapi: typeof openOAuthClient = async (issuer, application, fetch) => {
  const options = { [customFetch]: fetch };
  const url = new URL(issuer);
  const discovered = await discoveryRequest(url, { ...options, algorithm: "oauth2" });
  const session: Session = {
    as: await processDiscoveryResponse(url, discovered),
    client: { client_id: application.clientId, use_mtls_endpoint_aliases: true },
    authentication: await authenticationOf(application),
    application,
    options,
  };
  const { as, client, authentication } = session;
  return {
    begin: (scope) => begin(session, scope),
    refresh: async (refreshToken, scope) => {
      const more = { ...options, ...(scope !== undefined && { additionalParameters: { scope } }) };
      const answer = await refreshTokenGrantRequest(as, client, authentication, refreshToken, more);
      return tokensOf(await processRefreshTokenResponse(as, client, answer));
    },
    revoke: async (token) =>
      processRevocationResponse(await revocationRequest(as, client, authentication, token, options)),
    call: (token, address, { method = "GET", headers, body } = {}) =>
      protectedResourceRequest(token, method, address, headers, body, options),
  };
};

async function authenticationOf(application: OAuthApplication): Promise<ClientAuth> {
  if ("clientSecret" in application) return ClientSecretPost(application.clientSecret);
  if (application.privateKey === null) return TlsClientAuth();
  const key = await importJWK({ ...application.privateKey }, "ES256");
  if (key instanceof Uint8Array) throw new TypeError("the key of an application is no key pair");
  return PrivateKeyJwt(key);
}

async function begin(session: Session, scope: string | undefined): Promise<BegunAuthorization> {
  const { as, client, application } = session;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const parameters = {
    client_id: client.client_id,
    response_type: "code",
    redirect_uri: application.redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scope !== undefined && { scope }),
  };
  const url = new URL(as.authorization_endpoint ?? "");
  const carried = "clientSecret" in application ? parameters : await push(session, parameters);
  url.search = new URLSearchParams(carried).toString();
  return {
    url,
    redeem: (callback) => redeem(session, validateAuthResponse(as, client, callback, state), verifier),
  };
}

async function push({ as, client, authentication, options }: Session, parameters: Record<string, string>) {
  const answer = await pushedAuthorizationRequest(as, client, authentication, parameters, options);
  const { request_uri } = await processPushedAuthorizationResponse(as, client, answer);
  return { client_id: client.client_id, request_uri };
}

async function redeem(session: Session, callback: URLSearchParams, verifier: string): Promise<Tokens> {
  const { as, client, authentication, application, options } = session;
  const { redirectUri } = application;
  const grant = [as, client, authentication, callback, redirectUri, verifier, options] as const;
  return tokensOf(
    await processAuthorizationCodeResponse(as, client, await authorizationCodeGrantRequest(...grant)),
  );
}

function tokensOf(answer: TokenEndpointResponse): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    scope: answer.scope,
    expiresIn: answer.expires_in,
  };
}
