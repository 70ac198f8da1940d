import { parsePsuId } from "@cobs/cobs-model";
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from "oidc-provider";
import type { PublishedKeys } from "../applications/published-keys.ts";
import type { ConsentUses } from "../consent/note-uses.ts";
import type { KeysInUse } from "../keys/follow-keys.ts";
import type { PsuLogin } from "../psu/psu-login.ts";
import type { PsuSessions } from "../psu-session/psu-session.ts";
import { createActReader } from "./act-of-call.ts";
import { type AdapterParts, createAdapters } from "./adapters.ts";
import { APPLICATION_MEMBERS, isFapi2 } from "./application-client.ts";
import type { AskingApplications } from "./asking-applications.ts";
import { requireBegunProfile } from "./begun-profile.ts";
import { ConsentsOfCalls } from "./consents-of-calls.ts";
import { providerCookies } from "./cookies.ts";
import { decideScopes } from "./decide-scopes.ts";
import { providerFeatures } from "./features.ts";
import { signInOf } from "./find-interaction.ts";
import { INTERACTIONS } from "./interaction-policy.ts";
import { providerLifetimes } from "./lifetimes.ts";
import type { HandedOverRequests } from "./provider-caller.ts";
import type { ProviderStores } from "./provider-stores.ts";
import { createErrorRenderer, type PresentPage } from "./render-error.ts";
import { requireRegisteredAddress } from "./require-address.ts";
import { CLOCK_TOLERANCE_SECONDS, createAssertionCheck } from "./require-assertion.ts";
import { requireGrant } from "./require-grant.ts";
import { requireProfile } from "./require-profile.ts";
import { requireScope } from "./resource-server.ts";
import { createResumeCheck } from "./resumed-elsewhere.ts";
import { providerKeys } from "./signing-keys.ts";

/** The rules of the authorization server, and what its provider asks about while it answers. */
export interface ProviderTerms {
  readonly issuer: string;
  /** Base URL of the API, the audience of every token. */
  readonly resourceServer: string;
  readonly codeLifetimeSeconds: number;
  readonly accessTokenLifetimeSeconds: number;
  /** Whether applications of profile cobs are refused authorization now. */
  readonly requiresFapi2: () => boolean;
  /** True only in the sandbox. */
  readonly honoursOwnLifetime: boolean;
  /** Names of the bank's services that may introspect. */
  readonly introspectors: readonly string[];
  readonly consents: AdapterParts["consents"];
  readonly consentUses: Pick<ConsentUses, "note">;
  readonly publishedKeys: Pick<PublishedKeys, "find">;
  readonly findPsu: PsuLogin["find"];
  readonly sessions: Pick<PsuSessions, "counts" | "countsElsewhere" | "use">;
  readonly countLimited: AdapterParts["countLimited"];
  readonly presentPage: PresentPage;
}

/** What one provider is made from: the terms, what all providers of a process share, and the keys of this one. */
export interface ProviderParts extends ProviderTerms {
  readonly requests: HandedOverRequests;
  readonly askingApplications: AskingApplications;
  readonly stores: ProviderStores;
  readonly keysInUse: KeysInUse;
}

/** Paths of the provider's endpoints. */
export const ROUTES = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  pushed_authorization_request: "/oauth/par",
  revocation: "/oauth/revoke",
  introspection: "/oauth/introspect",
  jwks: "/oauth/jwks",
};

async function refuseToFetch(): Promise<never> {
  throw new TypeError("the provider fetches nothing");
}

function clientConfiguration({ issuer, requests }: ProviderParts): Configuration {
  return {
    clientAuthMethods: ["client_secret_post", "client_secret_basic", "private_key_jwt", "tls_client_auth"],
    assertJwtClientAuthClaimsAndHeader: createAssertionCheck(requests, issuer),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    clientDefaults: { id_token_signed_response_alg: "ES256", introspection_signed_response_alg: "ES256" },
    extraClientMetadata: { properties: APPLICATION_MEMBERS },
    // TPPs call from their servers; pages of other origins have no business with the token endpoint.
    clientBasedCORS: () => false,
    // The provider never fetches from a registered address by itself.
    fetch: refuseToFetch,
  };
}

function tokenConfiguration(): Configuration {
  return {
    responseTypes: ["code"],
    // COBS PDF 1.3.1: every authorization gives a refresh token, which stays the same and ends with the consent.
    issueRefreshToken: () => true,
    rotateRefreshToken: false,
    expiresWithSession: () => false,
    // Optional in COBS 2.0, required by FAPI 2.0 5.3.2.2. A challenge that was sent is always checked, S256 only
    // (RFC 7636).
    pkce: { required: (_ctx, client) => isFapi2(client) },
    formats: { bitsOfOpaqueRandomness: 256 },
    // Called for every access token before it is stored; adds no claims.
    extraTokenClaims: ({ oidc }, token) => {
      requireScope(oidc, token);
      return undefined;
    },
    enabledJWA: {
      // FAPI 2.0 5.4.1.
      clientAuthSigningAlgValues: ["ES256", "PS256", "EdDSA"],
      idTokenSigningAlgValues: ["ES256"],
      introspectionSigningAlgValues: ["ES256"],
    },
    // Revoking an access token ends only that token; everything else ends the consent.
    revokeGrantPolicy: (ctx) =>
      ctx.oidc.entities.AccessToken === undefined || ctx.oidc.route !== "revocation",
  };
}

/**
 * Uses up the sign-in when the code is made, not earlier. A PSU who signs out and leaves the browser to someone else
 * thus leaves no answer behind that could still become a code. Refuses with `access_denied`.
 */
async function useSignIn(sessions: Pick<PsuSessions, "use">, { oidc }: KoaContextWithOIDC): Promise<void> {
  const signIn = signInOf(oidc.result);
  if (signIn === undefined || !(await sessions.use(signIn)))
    throw new errors.AccessDenied("the sign-in has ended");
}

function journeyConfiguration(parts: ProviderParts): Configuration {
  const { askingApplications, findPsu, requiresFapi2, sessions } = parts;
  return {
    scopes: [],
    // COBS PDF 1.4.3, 1.4.4: `redirect_uri` is mandatory, and the same in both requests.
    allowOmittingSingleRegisteredRedirectUri: false,
    claims: { openid: ["sub"] },
    interactions: INTERACTIONS,
    cookies: providerCookies(parts.keysInUse.cookies),
    extraParams: {
      scope: async (ctx, requested, client) => {
        requireProfile(client, requiresFapi2);
        await decideScopes(askingApplications, ctx, requested, client);
      },
    },
    findAccount: async (_ctx, sub) => {
      if ((await findPsu(parsePsuId(sub))) === undefined) return undefined;
      return { accountId: sub, claims: () => ({ sub }) };
    },
    // Only the grant of this authorization: rights never accumulate over authorizations.
    loadExistingGrant: async (ctx) => {
      requireRegisteredAddress(ctx);
      requireBegunProfile(ctx.oidc);
      const grantId = ctx.oidc.result?.consent?.grantId;
      if (grantId === undefined) return undefined;
      await useSignIn(sessions, ctx);
      return requireGrant(ctx.oidc.provider, grantId);
    },
  };
}

/** Configures a provider: who its clients are, which tokens it gives, and how an authorization goes. */
export function configureProvider(parts: ProviderParts): Configuration {
  const { resourceServer: identifier, accessTokenLifetimeSeconds, honoursOwnLifetime } = parts;
  const { askingApplications, consents, consentUses, publishedKeys, requests, stores } = parts;
  const resourceServer = { identifier, accessTokenLifetimeSeconds, honoursOwnLifetime };
  const consentsOfCalls = new ConsentsOfCalls(consents);
  const resumeAt = `${parts.issuer}${ROUTES.authorization}`;
  return {
    ...clientConfiguration(parts),
    ...tokenConfiguration(),
    ...journeyConfiguration(parts),
    adapter: createAdapters({
      askingApplications,
      consents,
      countLimited: parts.countLimited,
      publishedKeys,
      ...stores,
      resourceServer: identifier,
      resumeAt,
      isResumedElsewhere: createResumeCheck(parts.sessions, requests),
      consentsOfCalls,
      readAct: createActReader(requests),
      readAdmitted: () => Provider.ctx && requests.of(Provider.ctx.req).application,
      introspectors: parts.introspectors,
      isOfBank: () => Provider.ctx !== undefined && requests.of(Provider.ctx.req).caller.kind === "bank",
    }),
    jwks: providerKeys(parts.keysInUse.signing),
    routes: ROUTES,
    ttl: providerLifetimes(parts),
    features: providerFeatures({
      requests,
      consents: consentsOfCalls,
      consentUses,
      resourceServer,
    }),
    renderError: createErrorRenderer(requests, parts.presentPage),
  };
}
