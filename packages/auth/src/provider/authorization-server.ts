/**
 * The wall around the OAuth provider: only this folder imports `oidc-provider`, and none of its types leave it. The
 * folder owns how the provider is configured, how its models are stored, and how a request gets in. It does not own
 * applications, consents, certificates or pages: it only shows them to the provider in the provider's terms.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Database, Log } from "@cobs/service-edge";
import Provider from "oidc-provider";
import type { ApplicationStore } from "../applications/application-store.ts";
import type { OpenEphemeralStore } from "../ephemeral/ephemeral-store.ts";
import type { PendingAuthorizations } from "../journey/pending-authorization.ts";
import type { FollowedKeys, KeysInUse } from "../keys/follow-keys.ts";
import type { TppStore } from "../tpp/tpp-store.ts";
import { AskingApplications } from "./asking-applications.ts";
import { compareSecretsByHash } from "./compare-client-secret.ts";
import { configureProvider, type ProviderParts, type ProviderTerms, ROUTES } from "./configure-provider.ts";
import { tellCookieAges } from "./cookies.ts";
import { emptyingContexts } from "./empty-contexts.ts";
import type { ConsentParts } from "./give-consent.ts";
import { createPendingAuthorizations } from "./pending-authorizations.ts";
import { type HandedOver, HandedOverRequests } from "./provider-caller.ts";
import { openProviderStores } from "./provider-stores.ts";
import { reportFailures } from "./report-failures.ts";

/** What the authorization server needs. */
export interface AuthorizationServerParts extends ProviderTerms, ConsentParts {
  readonly applications: Pick<ApplicationStore, "findAsking">;
  readonly tpps: TppStore;
  readonly keys: FollowedKeys;
  readonly database: Database;
  readonly openEphemeralStore: OpenEphemeralStore;
  readonly log: Log;
}

/** The OAuth provider as seen from outside the wall. */
export interface AuthorizationServer {
  /** Answers a request whose caller is proven. */
  answer(request: IncomingMessage, response: ServerResponse, known: HandedOver): Promise<void>;
  readonly pendingAuthorizations: PendingAuthorizations;
}

/** Makes a provider with fixed keys. */
function createProvider(parts: AuthorizationServerParts & ProviderParts) {
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
  const stores = openProviderStores(parts);
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
