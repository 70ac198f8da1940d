/**
 * The composition root of the authorization server: from top to bottom it migrates and opens the database, makes each
 * part from those above it, and opens the four listeners. It decides nothing itself.
 */
import { createTppVerification, parseTrustAnchors } from "@cobs/psd2-certificates";
import { createSecondReader } from "@cobs/psd2-certificates/second-reader";
import {
  type BankRight,
  createGuardedFetch,
  openCertificateParts,
  openService,
  openServiceListener,
  openServiceOperator,
  type ServiceParts,
  type ServiceProcess,
  watchTrustAnchors,
} from "@cobs/service-edge";
import { createApplicationStore } from "./applications/application-postgres.ts";
import { createPublishedKeys, NO_PUBLISHED_KEYS, type PublishedKeys } from "./applications/published-keys.ts";
import { requiresFapi2 as isFapi2Required } from "./applications/required-profile.ts";
import { startSealing } from "./audit/start-sealing.ts";
import { createPsuAccounts } from "./bank/resource-psu-accounts.ts";
import type { AuthConfiguration } from "./config.ts";
import { endConsentsOfApplication } from "./consent/end-consents-postgres.ts";
import { type Ephemeral, openEphemeral } from "./ephemeral/open-ephemeral.ts";
import { createFeed } from "./feed/feed-postgres.ts";
import { listenForEvents } from "./feed/feed-wake-postgres.ts";
import { deriveFormKey } from "./forms/form-token.ts";
import { createAuthenticatorRoutes } from "./http/authenticator-page.ts";
import { createBankRoutes, presentBankError } from "./http/bank-routes.ts";
import { createBrowserRoutes } from "./http/browser-routes.ts";
import { createConsentsRoutes } from "./http/consents-page.ts";
import { createMutualTlsRoutes } from "./http/mutual-tls-routes.ts";
import { createPageRoutes } from "./http/page-routes.ts";
import { presentOAuthError, presentOAuthProtocolError } from "./http/present-oauth-error.ts";
import { createPageErrorPresenter } from "./http/present-page-error.ts";
import { createReturnRoutes } from "./http/return-routes.ts";
import { followKeys } from "./keys/follow-keys.ts";
import { importCookieKeys, importSigningKeys } from "./keys/import-keys.ts";
import { createKeyStore } from "./keys/key-store-postgres.ts";
import { createAddressReader } from "./limits/caller-address.ts";
import { createRateLimitMetrics } from "./limits/rate-limit-metrics.ts";
import { createRateLimits, type RateLimits } from "./limits/rate-limits.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
import { openConsents } from "./open-consents.ts";
import { openPasskeys } from "./open-passkeys.ts";
import { type OpenedSigning, openSigning } from "./open-signing.ts";
import { openUpstreamLogin } from "./open-upstream-login.ts";
import { createRefusalExplanation } from "./operator/explain-refusals.ts";
import { openOperatorParts } from "./operator/open-operator-parts.ts";
import { createPages } from "./pages/pages.ts";
import { createAuthorizationServer } from "./provider/authorization-server.ts";
import { startCleaning } from "./provider/clean-expired-postgres.ts";
import {
  type AuthenticatorEnrolment,
  createAuthenticatorEnrolment,
} from "./psu/authenticator-enrolment-postgres.ts";
import { deriveChallengeKey } from "./psu/passkeys/bound-challenge.ts";
import type { Passkeys } from "./psu/passkeys/passkeys.ts";
import { createSignInPasskeys } from "./psu/passkeys/sign-in-passkeys.ts";
import type { PsuBlocks } from "./psu/psu-blocks.ts";
import { createPsuBlocks } from "./psu/psu-blocks-postgres.ts";
import type { PsuLogin } from "./psu/psu-login.ts";
import { recordSignIns } from "./psu/record-sign-ins-postgres.ts";
import { createSandboxDirectory } from "./psu/sandbox-directory-postgres.ts";
import { createSandboxLogin } from "./psu/sandbox-login.ts";
import { createPsuSessions } from "./psu-session/psu-sessions.ts";
import type { SignInParts } from "./sign-in/sign-in.ts";
import { createSignInProgresses } from "./sign-in/sign-in-progress.ts";
import { type ConfirmIdentity, createIdentityConfirmation } from "./tpp/confirm-identity.ts";
import { createTppIdentification } from "./tpp/identify-tpp.ts";
import { createRefusalNotes } from "./tpp/note-refusals.ts";
import { createStopList } from "./tpp/stop-list-postgres.ts";
import { createTppStore } from "./tpp/tpp-postgres.ts";
import { createRegisterMetrics } from "./tpp-register/register-metrics.ts";
import { createRegisterStore } from "./tpp-register/register-postgres.ts";
import { startRegisterChecks } from "./tpp-register/start-register-checks.ts";

/** The thread takes a second to start, and more on a machine that has much to do: it fails nobody for that. */
const SECOND_READER_START_MILLISECONDS = 30_000;

/** The ports that are open. */
export interface AuthPorts {
  readonly browser: number;
  readonly mutualTls: number;
  readonly bank: number;
  readonly operator: number;
}

/** Migrates, opens everything, and resolves with the ports; what was opened is closed by the lifecycle. */
export async function startAuth(config: AuthConfiguration, process: ServiceProcess): Promise<AuthPorts> {
  const peer = { name: "resource", bankUrl: new URL(config.resourceBankUrl) };
  const parts = await openService(config, process, { name: "auth", migrations: MIGRATIONS_DIRECTORY, peer });
  const cleaning = startCleaning(parts.database, parts.log);
  parts.lifecycle.onStop("cleaning", () => cleaning.stop());
  const sealing = startSealing(parts);
  parts.lifecycle.onStop("audit", () => sealing.stop());
  const keys = await openKeys(config, parts);
  const ephemeral = await openEphemeral(config.redis, parts);
  const made = { ...parts, ...keys, ephemeral };
  const inside = createInside(config, made);
  const open = { config, ...made, ...inside, signing: openSigning({ config, ...made, ...inside }) };
  openRegisterChecks(open);
  return {
    browser: await openForBrowsers(open),
    mutualTls: await openForTpps(open),
    bank: await openForBank(open),
    operator: await openServiceOperator(open, async () => ({ database: await open.database.answers() })),
  };
}

type Inside = ReturnType<typeof createInside>;
type Keys = Awaited<ReturnType<typeof openKeys>>;
type Made = ServiceParts & Keys & { readonly ephemeral: Ephemeral };
type Opened = Made & Inside & { readonly config: AuthConfiguration; readonly signing: OpenedSigning };

/** The keys that this server makes for itself, or has taken over from files at its first start. */
async function openKeys(config: AuthConfiguration, { database, log, lifecycle }: ServiceParts) {
  const { sealingKey, keyTerms: terms, signingKeys, cookieKeys } = config;
  const keyStore = createKeyStore(database, { sealingKey, terms });
  await keyStore.begin("signing", signingKeys ? importSigningKeys(signingKeys) : []);
  await keyStore.begin("cookie", cookieKeys ? importCookieKeys(cookieKeys) : []);
  const keys = await followKeys(keyStore, log);
  lifecycle.onStop("keys", () => keys.stop());
  return { keyStore, keys };
}

/** What proves who calls and whether they may: the same for every route of TPPs. */
function openIdentification(config: AuthConfiguration, parts: ServiceParts) {
  const { database, clock } = parts;
  const { metrics, refusals, revocation } = openCertificateParts(parts);
  const verification = createTppVerification({ anchors: config.anchors, revocation });
  watchTrustAnchors(parts, verification, { parse: parseTrustAnchors, metrics });
  const tpps = createTppStore(database, clock);
  const stopList = createStopList(database);
  const noteRefusals = createRefusalNotes({ refusals, metrics, clock });
  const identify = createTppIdentification({ verification, stopList, tpps, noteRefusals, clock });
  const explainRefusals = createRefusalExplanation(refusals, () => verification.anchors());
  return { verification, tpps, stopList, identify, noteRefusals, explainRefusals };
}

/** The parts, each made from those above it. */
function createInside(config: AuthConfiguration, parts: Made) {
  const { clock, log, database, keys } = parts;
  const identification = openIdentification(config, parts);
  const { tpps, stopList } = identification;
  const applications = createApplicationStore(database, endConsentsOfApplication);
  const publishedKeys = openPublishedKeys(config, parts);
  const requiresFapi2 = () => isFapi2Required(config.requiredProfile, clock.now());
  const { consents, psuConsents, consentUses } = openConsents(parts);
  const psuBlocks = createPsuBlocks(database, clock);
  const { login: unrecorded, enrolment, passkeys } = openLogin(config, parts);
  const login = recordSignIns(unrecorded, { database, blocks: psuBlocks, clock });
  const signIn = openSignIn(config, { ...parts, login, psuBlocks });
  const limits = openLimits(config, parts);
  const pages = createPages({ bankName: config.bankName, ...config.theme });
  const presentPage = createPageErrorPresenter(pages);
  const authorizationServer = createAuthorizationServer({
    issuer: config.issuer,
    resourceServer: config.resourceServer,
    codeLifetimeSeconds: config.codeLifetimeSeconds,
    accessTokenLifetimeSeconds: config.accessTokenLifetimeSeconds,
    consentLifetimeDays: config.consentLifetimeDays,
    requiresFapi2,
    honoursOwnLifetime: config.mode === "sandbox",
    introspectors: callersWith(config, "introspect"),
    isKnownPsu: async (psu) => (await login.find(psu)) !== undefined,
    openEphemeralStore: parts.ephemeral.openStore,
    ...{
      applications,
      publishedKeys,
      consents,
      consentUses,
      tpps,
      stopList,
      database,
      keys,
      presentPage,
      clock,
      log,
    },
  });
  return {
    ...identification,
    applications,
    fetchesKeys: publishedKeys.fetches,
    requiresFapi2,
    consents,
    psuConsents,
    psuBlocks,
    signIn,
    enrolment,
    passkeys,
    limits,
    pages,
    presentPage,
    authorizationServer,
  };
}

/** Where the keys come from that TPPs publish themselves; the one way from auth to an address of theirs. */
function openPublishedKeys({ applications }: AuthConfiguration, parts: ServiceParts): PublishedKeys {
  const { clock, log, lifecycle } = parts;
  if (applications.publishedKeys === undefined) return NO_PUBLISHED_KEYS;
  const { allowsPrivateAddresses, authorities } = applications.publishedKeys;
  const guarded = createGuardedFetch({
    allowsPrivateAddresses,
    followsRedirects: false,
    // Beside those for revocation, of which there are two: threads are left for everything else.
    lookupsAtOnce: 1,
    ...(authorities && { authorities }),
  });
  lifecycle.onStop("keys of applications", () => guarded.close());
  return createPublishedKeys({ fetch: guarded.fetch, clock, log });
}

/** What all processes of this server count calls with. */
function openLimits({ rateLimits: settings }: AuthConfiguration, parts: Made): RateLimits {
  const { ephemeral, clock, log, metrics } = parts;
  const { rateLimitStore: store } = ephemeral;
  return createRateLimits({ store, settings, metrics: createRateLimitMetrics(metrics), clock, log });
}

/** The login that configuration names, and how authenticators come to PSUs where that is ours to do. */
function openLogin(config: AuthConfiguration, parts: ServiceParts): OpenedLogin {
  const { psuLogin, sealingKey, bankName: issuer } = config;
  const { database, clock } = parts;
  switch (psuLogin.login) {
    case "oidc": {
      const login = openUpstreamLogin(psuLogin.upstream, { config, ...parts });
      return { login, enrolment: undefined, passkeys: undefined };
    }
    case "sandbox": {
      const directory = createSandboxDirectory(database, sealingKey);
      const enrolment = createAuthenticatorEnrolment(database, { sealingKey, issuer });
      const passkeys = openPasskeys(config, database);
      const ofSignIn = passkeys && createSignInPasskeys(passkeys, clock);
      const login = createSandboxLogin({ directory, enrolment, passkeys: ofSignIn });
      return { login, enrolment, passkeys };
    }
  }
}

interface OpenedLogin {
  readonly login: PsuLogin;
  readonly enrolment: AuthenticatorEnrolment | undefined;
  readonly passkeys: Passkeys | undefined;
}

/** What every page signs PSUs in with. */
function openSignIn(
  { sealingKey }: AuthConfiguration,
  parts: Made & { readonly login: PsuLogin; readonly psuBlocks: PsuBlocks },
): SignInParts {
  const { login, psuBlocks: blocks, clock } = parts;
  const { openStore } = parts.ephemeral;
  return {
    login,
    progresses: createSignInProgresses(openStore(), clock),
    sessions: createPsuSessions({ sessions: openStore(), seen: openStore(), blocks, clock }),
    blocks,
    formKey: deriveFormKey(sealingKey),
    clock,
  };
}

/** What a registration is confirmed with; its thread gets ready beside everything else, and nothing waits for it. */
function openIdentityConfirmation({ config, noteRefusals, lifecycle, log }: Opened): ConfirmIdentity {
  const { mode, ...settings } = config.secondReader;
  if (mode === "off") return async () => undefined;
  const reader = createSecondReader({ ...settings, startMilliseconds: SECOND_READER_START_MILLISECONDS });
  reader.prepare();
  lifecycle.onStop("second reader", () => reader.close());
  return createIdentityConfirmation({ reader, mode, noteRefusals, log });
}

/** The daily look into the TPP register, and the end of its blocks when configuration names no register. */
function openRegisterChecks({ config, stopList, database, metrics, clock, log, lifecycle }: Opened): void {
  const { tppRegister: settings } = config;
  const store = createRegisterStore(database);
  const checks = startRegisterChecks({
    ...{ settings, store, stopList, clock, log },
    metrics: createRegisterMetrics(metrics),
  });
  lifecycle.onStop("TPP register", () => checks.stop());
}

function openForBrowsers(open: Opened): Promise<number> {
  const { config, peer, authorizationServer, requiresFapi2, presentPage, limits, enrolment } = open;
  const { consents, psuConsents } = open;
  const addressOf = createAddressReader(config.rateLimits.browserAddresses);
  const psuAccounts = createPsuAccounts(peer);
  const signedIn = { ...open.signIn, pages: open.pages, limits, addressOf };
  const pageRoutes = createPageRoutes({
    pendingAuthorizations: authorizationServer.pendingAuthorizations,
    applications: open.applications,
    tpps: open.tpps,
    consents,
    psuAccounts,
    consentLifetimeDays: config.consentLifetimeDays,
    ...signedIn,
  });
  const enrolling = { passkeys: open.passkeys, challengeKey: deriveChallengeKey(config.sealingKey) };
  const hosts = { issuer: config.issuer, mutualTls: config.mutualTlsUrl };
  return openServiceListener(open, {
    name: "browser",
    port: config.browserPort,
    keyPair: config.server,
    clientCertificates: { kind: "never-asked" },
    url: new URL(config.issuer),
    routes: createBrowserRoutes({
      ...{ authorizationServer, hosts, requiresFapi2, limits, addressOf },
      ...{ clock: open.clock, securityContact: config.securityContact },
      pageRoutes: [
        ...pageRoutes,
        ...createReturnRoutes(signedIn),
        ...createConsentsRoutes({ ...signedIn, consents, psuConsents, psuAccounts }),
        ...(enrolment === undefined
          ? []
          : createAuthenticatorRoutes({ ...signedIn, ...enrolling, enrolment })),
        ...open.signing.pageRoutes({ limits, addressOf }),
      ],
    }),
    responses: "pages",
    presentError: presentPage,
    presentProtocolError: presentOAuthProtocolError,
  });
}

function openForTpps(open: Opened): Promise<number> {
  const { config, authorizationServer, applications, requiresFapi2, identify, verification } = open;
  const confirmIdentity = openIdentityConfirmation(open);
  return openServiceListener(open, {
    name: "mutual-tls",
    port: config.mutualTlsPort,
    keyPair: config.server,
    // Requested, not required: a call without a good certificate gets an answer of the standard, not an alert.
    clientCertificates: {
      kind: "of-tpps",
      authorities: () => verification.anchors().anchors.map(({ pem }) => pem),
    },
    url: new URL(config.mutualTlsUrl),
    routes: createMutualTlsRoutes({
      authorizationServer,
      applications,
      requiresFapi2,
      fetchesKeys: open.fetchesKeys,
      maxApplicationsPerTpp: config.applications.maxPerTpp,
      secretOverlapSeconds: config.applications.secretOverlapSeconds,
      identify,
      confirmIdentity,
      limits: open.limits,
      issuer: config.issuer,
    }),
    responses: "data",
    presentError: presentOAuthError,
    presentProtocolError: presentOAuthProtocolError,
  });
}

async function openForBank(open: Opened): Promise<number> {
  const { config, database, log, lifecycle, authorizationServer, stopList, explainRefusals, limits } = open;
  const { keyStore, keys, applications, consents, psuBlocks, signIn } = open;
  const callers = config.bankCallers;
  const feed = createFeed(database);
  const wake = listenForEvents({ url: config.databaseUrl, log });
  lifecycle.onStop("event feed", () => wake.stop());
  const port = await openServiceListener(open, {
    name: "bank",
    port: config.bankPort,
    keyPair: config.bankServer,
    clientCertificates: { kind: "required", authorities: () => [config.bankAuthority] },
    url: new URL(config.bankUrl),
    routes: createBankRoutes({
      ...{ limits, authorizationServer, callers, feed, wake, stopList, explainRefusals, keyStore, keys },
      ...{
        ...openOperatorParts(database),
        applications,
        consents,
        psuBlocks,
        turnEpoch: open.ephemeral.turnEpoch,
      },
      findPerson: (psu) => signIn.login.find(psu),
      signing: open.signing.bank,
    }),
    responses: "data",
    presentError: presentBankError,
    presentProtocolError: presentOAuthProtocolError,
  });
  // Again, before the listener: it waits for the calls under way, and those of readers wait for events.
  lifecycle.onStop("waiting readers", () => wake.stop());
  return port;
}

function callersWith({ bankCallers }: AuthConfiguration, right: BankRight): readonly string[] {
  return [...bankCallers].filter(([, rights]) => rights.has(right)).map(([name]) => name);
}
