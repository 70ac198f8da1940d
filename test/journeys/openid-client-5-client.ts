import { readFileSync } from "node:fs";
import { type Client, type ClientMetadata, custom, generators, Issuer, type TokenSet } from "openid-client-5";
import type {
  CertificatePaths,
  SandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type {
  OAuthApplication,
  OAuthClient,
  openOAuthClient,
  Tokens,
} from "../../packages/sandbox/src/tpp/oauth-client.ts";

/**
 * The OAuth side of a TPP on openid-client 5, which shares no code with its successor or with oauth4webapi: it has its own
 * HTTP, TLS and signatures, and therefore gets the certificate as files.
 */
export function openOnOpenidClient5(
  sandbox: Pick<SandboxDocument, "ca">,
  { certificate, key }: CertificatePaths,
): typeof openOAuthClient {
  const ca = readFileSync(sandbox.ca);
  const pair = { cert: readFileSync(certificate), key: readFileSync(key) };
  return async (url, application) => {
    Issuer[custom.http_options] = () => ({ ca });
    const issuer = await Issuer.discover(url);
    const keys =
      "privateKey" in application && application.privateKey !== null ? [application.privateKey] : [];
    const client = new issuer.Client(metadataOf(application), { keys: keys.map((each) => ({ ...each })) });
    client[custom.http_options] = () => ({ ca, ...pair });
    return present(client, application, issuer.metadata.issuer);
  };
}

function metadataOf(application: OAuthApplication): ClientMetadata {
  const common = {
    client_id: application.clientId,
    redirect_uris: [application.redirectUri],
    response_types: ["code" as const],
    // Makes this library use the endpoints for mutual TLS.
    tls_client_certificate_bound_access_tokens: true,
  };
  if ("clientSecret" in application)
    return {
      ...common,
      client_secret: application.clientSecret,
      token_endpoint_auth_method: "client_secret_post",
    };
  if (application.privateKey === null) return { ...common, token_endpoint_auth_method: "tls_client_auth" };
  return {
    ...common,
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
  };
}

function present(client: Client, application: OAuthApplication, issuer: string): OAuthClient {
  // By default it names the endpoints too (FAPI 2.0 5.3.2.1 takes the issuer alone).
  const assertion = { clientAssertionPayload: { aud: issuer } };
  const { redirectUri } = application;
  return {
    begin: async (scope) => {
      const code_verifier = generators.codeVerifier();
      const state = generators.state();
      const parameters = {
        redirect_uri: redirectUri,
        response_type: "code",
        state,
        code_challenge: generators.codeChallenge(code_verifier),
        code_challenge_method: "S256",
        // Without a scope this library would ask for `openid`.
        scope: scope ?? "aisp pisp",
      };
      const pushed =
        "clientSecret" in application
          ? undefined
          : await client.pushedAuthorizationRequest(parameters, assertion);
      const carried = pushed === undefined ? parameters : { request_uri: pushed.request_uri };
      return {
        url: addressOf(client, issuer, carried),
        redeem: async (callback) => {
          const checks = { state, code_verifier, response_type: "code" };
          const answer = client.callbackParams(callback.href);
          return tokensOf(await client.oauthCallback(redirectUri, answer, checks, assertion));
        },
      };
    },
    refresh: async (token, scope) =>
      tokensOf(await client.refresh(token, { ...assertion, ...(scope && { exchangeBody: { scope } }) })),
    revoke: (token) => client.revoke(token, undefined, assertion),
    call: async (token, url, { headers } = {}) => {
      const answer = await client.requestResource(url.href, token, {
        headers: Object.fromEntries(headers ?? new Headers()),
      });
      return new Response(answer.body === undefined ? null : new Uint8Array(answer.body), {
        status: answer.statusCode ?? 0,
      });
    },
  };
}

/** The library's own method adds parameters beside the reference of a pushed request. */
function addressOf(client: Client, issuer: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL("/oauth/authorize", issuer);
  const client_id = String(client.metadata.client_id);
  url.search = new URLSearchParams({ client_id, ...parameters }).toString();
  return url;
}

function tokensOf(answer: TokenSet): Tokens {
  return {
    accessToken: answer.access_token ?? "",
    refreshToken: answer.refresh_token,
    scope: answer.scope,
    expiresIn: answer.expires_in,
  };
}
