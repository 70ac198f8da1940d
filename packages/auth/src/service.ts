/**
 * The composition root of the authorization server. From top to bottom it migrates and opens the database, makes each
 * part from those above it, and opens the four listeners. It decides nothing itself.
 */
import { createSecondReader } from "@cobs/psd2-certificates/second-reader";
import {
  openService,
  openServiceListener,
  openServiceOperator,
  type ServiceParts,
  type ServiceProcess,
  trustingDatabaseClock,
} from "@cobs/service-edge";
import { bankOriginsOf } from "./applications/bank-origins.ts";
import { startSealing } from "./audit/start-sealing.ts";
import type { AuthConfiguration } from "./config.ts";
import { SERVICE_NAME } from "./connection-names.ts";
import { openEphemeral } from "./ephemeral/open-ephemeral.ts";
import { createFeedMetrics } from "./feed/feed-metrics.ts";
import { createFeed } from "./feed/feed-postgres.ts";
import { listenForEvents } from "./feed/feed-wake.ts";
import { createBankRoutes, presentBankError } from "./http/bank-routes.ts";
import { type BrowserParts, createBrowserRoutes } from "./http/browser-routes.ts";
import { createMutualTlsRoutes } from "./http/mutual-tls-routes.ts";
import { createAuthenticatorRoutes } from "./http/pages/authenticator-page.ts";
import { createConsentsRoutes } from "./http/pages/consents-page.ts";
import { createDocumentationRoutes } from "./http/pages/documentation-routes.ts";
import { createPageRoutes } from "./http/pages/page-routes.ts";
import { createReturnRoutes } from "./http/pages/return-routes.ts";
import { presentOAuthError, presentOAuthProtocolError } from "./http/present-oauth-error.ts";
import { createAddressReader } from "./limits/caller-address.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
import { NUMBERED_TABLES } from "./numbered-tables.ts";
import { type Foundations, openKeys, openParts } from "./open-parts.ts";
import { type OpenedSigning, openSigning } from "./open-signing.ts";
import { openOperatorParts } from "./operator-api/open-operator-parts.ts";
import { deriveChallengeKey } from "./psu/passkeys/bound-challenge.ts";
import { startCleaning } from "./records/clean-expired-postgres.ts";
import { startForgettingRecords } from "./records/start-forgetting-records.ts";
import { type ConfirmIdentity, createIdentityConfirmation } from "./tpp/confirm-identity.ts";
import { createRegisterMetrics } from "./tpp-register/register-metrics.ts";
import { createRegisterStore } from "./tpp-register/register-postgres.ts";
import { startRegisterChecks } from "./tpp-register/start-register-checks.ts";

/** The ports that are open. */
export interface AuthPorts {
  readonly browser: number;
  readonly mutualTls: number;
  readonly bank: number;
  readonly operator: number;
}

/** Migrates, opens everything and resolves with the ports. The lifecycle closes what was opened. */
export async function startAuth(config: AuthConfiguration, process: ServiceProcess): Promise<AuthPorts> {
  const peer = { name: "resource", bankUrl: config.resourceBankUrl };
  const service = await openService(config, process, {
    name: SERVICE_NAME,
    migrations: MIGRATIONS_DIRECTORY,
    numbered: NUMBERED_TABLES,
    peer,
  });
  startDeleting(config, service);
  service.lifecycle.onStop("audit", startSealing(service).stop);
  const keys = await openKeys(config, service);
  const foundations = { ...service, ...keys, ephemeral: await openEphemeral(config, service) };
  const parts = { config, ...foundations, ...openParts(config, foundations) };
  const open = { ...parts, signing: openSigning(parts) };
  openRegisterChecks(open);
  return {
    browser: await openForBrowsers(open),
    mutualTls: await openForTpps(open),
    bank: await openForBank(open),
    operator: openServiceOperator(open, async () => ({ database: await open.database.answers() })),
  };
}

type Opened = Foundations &
  ReturnType<typeof openParts> & { readonly config: AuthConfiguration; readonly signing: OpenedSigning };

/** Starts the two jobs that delete records: those that have expired, and those that are kept for a while after their end. */
function startDeleting({ recordRetentionDays }: AuthConfiguration, parts: ServiceParts): void {
  const { database, log, lifecycle, countJob } = parts;
  const cleaning = startCleaning(database, log, trustingDatabaseClock(parts, countJob("cleaning")));
  lifecycle.onStop("cleaning", cleaning.stop);
  const again = trustingDatabaseClock(parts, countJob("records_forgetting"));
  const forgetting = startForgettingRecords({ database, log, again }, recordRetentionDays);
  lifecycle.onStop("old records", forgetting.stop);
}

/** Opens the second reader that confirms registrations. Its thread starts in the background; nothing waits for it. */
function openIdentityConfirmation({ config, noteRefusals, lifecycle, log }: Opened): ConfirmIdentity {
  const { mode, ...settings } = config.secondReader;
  if (mode === "off") return async () => undefined;
  const reader = createSecondReader(settings);
  reader.prepare();
  lifecycle.onStop("second reader", () => reader.close());
  return createIdentityConfirmation({ reader, mode, noteRefusals, log });
}

/** Starts the daily look-up of TPPs in the register; ends the register's blocks when none is configured. */
function openRegisterChecks(open: Opened): void {
  const { config, stopList, database, metrics, clock, log, lifecycle } = open;
  const { tppRegister: settings } = config;
  const store = createRegisterStore(database);
  const checks = startRegisterChecks({
    settings,
    store,
    stopList,
    clock,
    log,
    again: open.countJob("tpp_register"),
    metrics: createRegisterMetrics(metrics),
  });
  lifecycle.onStop("TPP register", checks.stop);
}

/** The routes of all pages that PSUs see. */
function openPageRoutes(open: Opened, { hosts, addressOf }: Pick<BrowserParts, "hosts" | "addressOf">) {
  const { config, consents, psuConsents, cardConsents, psuAccounts, enrolment, limits } = open;
  const shared = { ...open.signIn, pages: open.pages, limits, addressOf };
  const authorizations = {
    pendingAuthorizations: open.authorizationServer.pendingAuthorizations,
    consents,
    psuAccounts,
    blocks: open.psuBlocks,
    consentLifetimeDays: config.consentLifetimeDays,
  };
  const hasAuthenticatorPage = enrolment !== undefined;
  const given = { consents, psuConsents, cardConsents, psuAccounts, stopList: open.stopList };
  const enrolling = { passkeys: open.passkeys, challengeKey: deriveChallengeKey(config.sealingKey) };
  return [
    ...createPageRoutes({ ...authorizations, ...shared }),
    ...createReturnRoutes(shared),
    ...createDocumentationRoutes({ ...shared, hosts }),
    ...createConsentsRoutes({ ...shared, ...given, hasAuthenticatorPage }),
    ...(enrolment === undefined ? [] : createAuthenticatorRoutes({ ...shared, ...enrolling, enrolment })),
    ...open.signing.pageRoutes({ limits, addressOf }),
  ];
}

function openForBrowsers(open: Opened): Promise<number> {
  const { config, authorizationServer, requiresFapi2, presentPage, limits } = open;
  const { issuer, mutualTlsUrl: authApi, resourceServer } = config;
  const rim = {
    hosts: { issuer, authApi, resourceServer },
    addressOf: createAddressReader(config.rateLimits.browserAddresses),
  };
  return openServiceListener(open, {
    name: "browser",
    port: config.browserPort,
    keyPair: config.server,
    clientCertificates: { kind: "never-asked" },
    url: new URL(issuer),
    routes: createBrowserRoutes({
      ...rim,
      authorizationServer,
      requiresFapi2,
      offeredScopes: config.applications.offeredScopes,
      limits,
      clock: open.clock,
      securityContact: config.securityContact,
      pageRoutes: openPageRoutes(open, rim),
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
    // Requested, not required: a call without a valid certificate gets an answer of the standard instead of a TLS
    // alert.
    clientCertificates: {
      kind: "of-tpps",
      authorities: () => verification.anchors().anchors.map(({ pem }) => pem),
    },
    url: new URL(config.mutualTlsUrl),
    routes: createMutualTlsRoutes({
      authorizationServer,
      applications,
      requiresFapi2,
      bankOrigins: bankOriginsOf(config),
      fetchesKeys: open.fetchesKeys,
      offeredScopes: config.applications.offeredScopes,
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
  const { keyStore, keys, applications, consents, cardConsents, psuAccounts, psuBlocks, signIn } = open;
  const callers = config.bankCallers;
  const feed = createFeed(database);
  createFeedMetrics(open.metrics, feed);
  const wake = listenForEvents({ database, log });
  lifecycle.onStop("event feed", wake.stop);
  const port = await openServiceListener(open, {
    name: "bank",
    port: config.bankPort,
    keyPair: config.bankServer,
    clientCertificates: { kind: "required", authorities: () => [config.bankAuthority] },
    url: new URL(config.bankUrl),
    routes: createBankRoutes({
      limits,
      authorizationServer,
      callers,
      feed,
      wake,
      stopList,
      explainRefusals,
      keyStore,
      keys,
      ...openOperatorParts(database),
      applications,
      consents,
      cardConsents,
      psuAccounts,
      psuBlocks,
      turnEpoch: open.ephemeral.turnEpoch,
      findPerson: (psu) => signIn.login.find(psu),
      signing: open.signing.bank,
    }),
    responses: "data",
    presentError: presentBankError,
    presentProtocolError: presentOAuthProtocolError,
  });
  // Closing the listener waits for open calls, and those of feed readers wait for events, so these are released
  // first.
  lifecycle.onDrain("waiting readers", { drain: wake.release, close: wake.stop });
  return port;
}
