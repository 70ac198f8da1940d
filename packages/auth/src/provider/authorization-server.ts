/**
 * The wall around the OAuth provider: only this folder imports `oidc-provider`, and none of its types leave it. The
 * folder owns how the provider is configured, how its models are stored, and how a request gets in. It does not own
 * applications, consents, certificates or pages: it only shows them to the provider in the provider's terms.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { parsePsuId } from "@cobs/cobs-model";
import type { Database, Log } from "@cobs/service-edge";
import Provider, {
  type AdapterPayload,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
} from "oidc-provider";
import type { ApplicationStore } from "../applications/application-store.ts";
import type { PublishedKeys } from "../applications/published-keys.ts";
import type { ConsentUses } from "../consent/note-uses.ts";
import type { OpenEphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { PendingAuthorizations } from "../journey/pending-authorization.ts";
import type { FollowedKeys, KeysInUse } from "../keys/follow-keys.ts";
import type { RateLimitMetrics } from "../limits/rate-limit-metrics.ts";
import type { PsuLogin } from "../psu/psu-login.ts";
import type { PsuSessions } from "../psu-session/psu-session.ts";
import { createTokenStore } from "../tokens/token-store-postgres.ts";
import type { TppStore } from "../tpp/tpp-store.ts";
import { createActReader } from "./act-of-call.ts";
import { createAdapters } from "./adapters.ts";
import { APPLICATION_MEMBERS, isFapi2 } from "./application-client.ts";
import { AskingApplications } from "./asking-applications.ts";
import { requireBegunProfile } from "./begun-profile.ts";
import { compareSecretsByHash } from "./compare-client-secret.ts";
import { ConsentsOfCalls } from "./consents-of-calls.ts";
import { providerCookies, tellCookieAges } from "./cookies.ts";
import { decideScopes } from "./decide-scopes.ts";
import { emptyingContexts } from "./empty-contexts.ts";
import { providerFeatures } from "./features.ts";
import { signInOf } from "./find-interaction.ts";
import { createFirstAnswers } from "./first-answers.ts";
import type { ConsentParts } from "./give-consent.ts";
import { INTERACTIONS } from "./interaction-policy.ts";
import { providerLifetimes } from "./lifetimes.ts";
import { createPendingAuthorizations } from "./pending-authorizations.ts";
import { type HandedOver, HandedOverRequests } from "./provider-caller.ts";
import { createPushedRequests } from "./pushed-requests.ts";
import { createErrorRenderer, type PresentPage } from "./render-error.ts";
import { reportFailures } from "./report-failures.ts";
import { requireRegisteredAddress } from "./require-address.ts";
import { CLOCK_TOLERANCE_SECONDS, createAssertionCheck } from "./require-assertion.ts";
import { requireGrant } from "./require-grant.ts";
import { requireProfile } from "./require-profile.ts";
import { requireScope } from "./resource-server.ts";
import { createResumeCheck } from "./resumed-elsewhere.ts";
import { providerKeys } from "./signing-keys.ts";
import { createUsedMarks } from "./used-marks-postgres.ts";

/** What the authorization server needs. */
export interface AuthorizationServerParts extends ConsentParts {
  readonly issuer: string;
  readonly applications: Pick<ApplicationStore, "findAsking">;
  /** Base URL of the API, the audience of every token. */
  readonly resourceServer: string;
  readonly keys: FollowedKeys;
  readonly codeLifetimeSeconds: number;
  /** Whether applications of profile cobs are refused authorization now. */
  readonly requiresFapi2: () => boolean;
  readonly accessTokenLifetimeSeconds: number;
  /** True only in the sandbox. */
  readonly honoursOwnLifetime: boolean;
  /** Names of the bank's services that may introspect. */
  readonly introspectors: readonly string[];
  readonly database: Database;
  readonly openEphemeralStore: OpenEphemeralStore;
  readonly tpps: TppStore;
  readonly consentUses: Pick<ConsentUses, "note">;
  readonly publishedKeys: Pick<PublishedKeys, "find">;
  readonly findPsu: PsuLogin["find"];
  readonly sessions: Pick<PsuSessions, "counts" | "countsElsewhere" | "use">;
  readonly countLimited: RateLimitMetrics["limited"];
  readonly presentPage: PresentPage;
  readonly log: Log;
}

/** The OAuth provider as seen from outside the wall. */
export interface AuthorizationServer {
  /** Answers a request whose caller is proven. */
  answer(request: IncomingMessage, response: ServerResponse, known: HandedOver): Promise<void>;
  readonly pendingAuthorizations: PendingAuthorizations;
}

const ROUTES = {
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

function clientConfiguration(parts: AuthorizationServerParts, requests: HandedOverRequests): Configuration {
  return {
    clientAuthMethods: ["client_secret_post", "client_secret_basic", "private_key_jwt", "tls_client_auth"],
    assertJwtClientAuthClaimsAndHeader: createAssertionCheck(requests, parts.issuer),
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

/** Opens the stores of the provider's own records. */
function openStores({ database, openEphemeralStore }: AuthorizationServerParts) {
  const usedMarks = createUsedMarks(database);
  return {
    tokens: createTokenStore<AdapterPayload>(database),
    usedMarks,
    ephemeral: openEphemeralStore<AdapterPayload>(),
    firstAnswers: createFirstAnswers(openEphemeralStore()),
    pushedRequests: createPushedRequests<AdapterPayload>(openEphemeralStore(), usedMarks),
  };
}

/** What configuring the provider needs. */
interface ProviderParts extends AuthorizationServerParts {
  readonly requests: HandedOverRequests;
  readonly askingApplications: AskingApplications;
  readonly stores: ReturnType<typeof openStores>;
  readonly keysInUse: KeysInUse;
}

function configureProvider(parts: ProviderParts): Configuration {
  const { resourceServer: identifier, accessTokenLifetimeSeconds, honoursOwnLifetime } = parts;
  const { askingApplications, consents, consentUses, publishedKeys, requests, stores } = parts;
  const resourceServer = { identifier, accessTokenLifetimeSeconds, honoursOwnLifetime };
  const consentsOfCalls = new ConsentsOfCalls(consents);
  const resumeAt = `${parts.issuer}${ROUTES.authorization}`;
  return {
    ...clientConfiguration(parts, requests),
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

/** Makes a provider with fixed keys. */
function createProvider(parts: ProviderParts) {
  const { requests, stores } = parts;
  const provider = new Provider(parts.issuer, configureProvider(parts));
  compareSecretsByHash(provider, requests);
  reportFailures(provider, requests, parts.log);
  tellCookieAges(provider);
  const pendingAuthorizations = createPendingAuthorizations(provider, { ...parts, ...stores });
  return { handle: emptyingContexts(provider), pendingAuthorizations };
}

/**
 * Makes the authorization server, which opens no listener and answers only what comes through `answer`. A provider
 * cannot change its keys, so when they change, a new one serves the next call. Open calls end in the provider where
 * they began: everything that outlives a call is in the stores, and its keys are still published and accepted.
 */
export function createAuthorizationServer(parts: AuthorizationServerParts): AuthorizationServer {
  const requests = new HandedOverRequests();
  const stores = openStores(parts);
  const askingApplications = new AskingApplications(parts.applications, parts.tpps);
  const create = (keysInUse: KeysInUse) => {
    return { keysInUse, ...createProvider({ ...parts, requests, stores, askingApplications, keysInUse }) };
  };
  let latest = create(parts.keys.current());
  const provider = () => {
    const keysInUse = parts.keys.current();
    if (keysInUse !== latest.keysInUse) latest = create(keysInUse);
    return latest;
  };
  return {
    answer(request, response, known) {
      requests.add(request, known);
      const handle = () => provider().handle(request, response);
      // Refreshed, so that a key dropped by any process is no longer published.
      return request.url?.split("?")[0] === ROUTES.jwks ? parts.keys.refresh().then(handle) : handle();
    },
    pendingAuthorizations: alwaysOf(() => provider().pendingAuthorizations),
  };
}

/** Wraps the pending authorizations for the pages: each call goes to the current provider. */
function alwaysOf(current: () => PendingAuthorizations): PendingAuthorizations {
  return {
    find: (call) => current().find(call),
    completeSignIn: (own, signIn) => current().completeSignIn(own, signIn),
    completeConsent: (own, decision) => current().completeConsent(own, decision),
    answered: (own) => current().answered(own),
    abort: (own, why) => current().abort(own, why),
    refuse: (own) => current().refuse(own),
  };
}
