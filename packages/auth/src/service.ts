/**
 * The composition root of the authorization server: from top to bottom it migrates and opens the database, makes each
 * part from those above it, and opens the four listeners. It decides nothing itself.
 */
import { createCertificateVerifier } from "@cobs/psd2-certificates";
import {
  type BankRight,
  type Clock,
  createListenerApplication,
  createMetrics,
  createPrivateClient,
  type Lifecycle,
  type Listener,
  type ListenerApplicationOptions,
  type Log,
  migrateDatabase,
  openDatabase,
  openOperatorListener,
  openTlsListener,
  type TlsListenerOptions,
} from "@cobs/service-edge";
import { createApplicationStore } from "./applications/application-postgres.ts";
import { createPsuAccounts } from "./bank/resource-psu-accounts.ts";
import type { AuthConfiguration } from "./config.ts";
import { createConsentStore } from "./consent/consent-postgres.ts";
import { endConsentsOfApplication } from "./consent/end-consents-postgres.ts";
import { createBankRoutes } from "./http/bank-routes.ts";
import { createBrowserRoutes } from "./http/browser-routes.ts";
import { createMutualTlsRoutes } from "./http/mutual-tls-routes.ts";
import { createPageRoutes } from "./http/page-routes.ts";
import { presentOAuthError, presentOAuthProtocolError } from "./http/present-oauth-error.ts";
import { createPageErrorPresenter } from "./http/present-page-error.ts";
import { deriveFormKey } from "./journey/form-token.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";
import { createPages } from "./pages/pages.ts";
import { createAuthorizationServer } from "./provider/authorization-server.ts";
import { startCleaning } from "./provider/clean-expired-postgres.ts";
import { parseCookieKeys } from "./provider/cookie-keys.ts";
import { parseSigningKeys } from "./provider/signing-keys.ts";
import { createSandboxDirectory } from "./psu/sandbox-directory-postgres.ts";
import { createTppIdentification } from "./tpp/identify-tpp.ts";
import { createTppStore } from "./tpp/tpp-postgres.ts";

/** What a process lends to its service. */
export interface AuthProcess {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
}

/** The ports that are open. */
export interface AuthPorts {
  readonly browser: number;
  readonly mutualTls: number;
  readonly bank: number;
  readonly operator: number;
}

/** Migrates, opens everything, and resolves with the ports; what was opened is closed by the lifecycle. */
export async function startAuth(config: AuthConfiguration, process: AuthProcess): Promise<AuthPorts> {
  await migrateDatabase({ url: config.databaseUrl, directory: MIGRATIONS_DIRECTORY, log: process.log });
  const outside = openOutside(config, process);
  const inside = createInside(config, process, outside);
  const open = { config, ...process, ...outside, ...inside };
  return {
    browser: await openForBrowsers(open),
    mutualTls: await openForTpps(open),
    bank: await openForBank(open),
    operator: await openForOperator(open),
  };
}

type Outside = ReturnType<typeof openOutside>;
type Inside = ReturnType<typeof createInside>;
type Opened = AuthProcess & Outside & Inside & { readonly config: AuthConfiguration };

/** What has to be closed again. */
function openOutside(config: AuthConfiguration, { log, lifecycle }: AuthProcess) {
  const { databaseUrl: url, databaseMaxConnections: maxConnections } = config;
  const database = openDatabase({ url, maxConnections, applicationName: "auth", log });
  lifecycle.onStop("database", () => database.close());
  const resource = createPrivateClient({
    service: "resource",
    base: config.resourceBankUrl,
    authority: config.bankAuthority,
    certificate: config.bankClient.certificate,
    key: config.bankClient.key.reveal(),
  });
  lifecycle.onStop("client of resource", () => resource.close());
  const cleaning = startCleaning(database, log);
  lifecycle.onStop("cleaning", () => cleaning.stop());
  return { database, resource, metrics: createMetrics("auth") };
}

/** The parts, each made from those above it. */
function createInside(config: AuthConfiguration, { clock, log }: AuthProcess, { database }: Outside) {
  const tpps = createTppStore(database, clock);
  const verifier = createCertificateVerifier({ anchors: config.anchors });
  const identify = createTppIdentification({ verifier, tpps, clock });
  const applications = createApplicationStore(database, endConsentsOfApplication);
  const consents = createConsentStore(database);
  const directory = createSandboxDirectory(database, config.sealingKey);
  const pages = createPages({ bankName: config.bankName });
  const presentPage = createPageErrorPresenter(pages);
  const authorizationServer = createAuthorizationServer({
    issuer: config.issuer,
    resourceServer: config.resourceServer,
    signingKeys: parseSigningKeys(config.signingKeys.reveal()),
    cookieKeys: parseCookieKeys(config.cookieKeys.reveal()),
    codeLifetimeSeconds: config.codeLifetimeSeconds,
    accessTokenLifetimeSeconds: config.accessTokenLifetimeSeconds,
    consentLifetimeDays: config.consentLifetimeDays,
    honoursOwnLifetime: config.mode === "sandbox",
    introspectors: callersWith(config, "introspect"),
    isKnownPsu: async (psu) => (await directory.find(psu)) !== undefined,
    ...{ applications, consents, tpps, database, presentPage, clock, log },
  });
  return { tpps, identify, applications, directory, pages, presentPage, authorizationServer };
}

function openForBrowsers(open: Opened): Promise<number> {
  const { config, resource, authorizationServer, presentPage } = open;
  const pageRoutes = createPageRoutes({
    pages: open.pages,
    pendingAuthorizations: authorizationServer.pendingAuthorizations,
    applications: open.applications,
    tpps: open.tpps,
    directory: open.directory,
    psuAccounts: createPsuAccounts(resource),
    formKey: deriveFormKey(config.sealingKey),
    consentLifetimeDays: config.consentLifetimeDays,
    clock: open.clock,
  });
  const hosts = { issuer: config.issuer, mutualTls: config.mutualTlsUrl };
  return openListener(open, {
    name: "browser",
    port: config.browserPort,
    keyPair: config.server,
    clientCertificates: { kind: "never-asked" },
    url: config.issuer,
    routes: createBrowserRoutes({ authorizationServer, hosts, pageRoutes }),
    responses: "pages",
    presentError: presentPage,
  });
}

function openForTpps(open: Opened): Promise<number> {
  const { config, authorizationServer, applications, identify } = open;
  const authorities = config.anchors.anchors.map(({ pem }) => pem);
  return openListener(open, {
    name: "mutual-tls",
    port: config.mutualTlsPort,
    keyPair: config.server,
    // Requested, not required: a call without a good certificate gets an answer of the standard, not an alert.
    clientCertificates: { kind: "requested", authorities },
    url: config.mutualTlsUrl,
    routes: createMutualTlsRoutes({ authorizationServer, applications, identify, issuer: config.issuer }),
    responses: "data",
    presentError: presentOAuthError,
  });
}

function openForBank(open: Opened): Promise<number> {
  const { config, authorizationServer } = open;
  return openListener(open, {
    name: "bank",
    port: config.bankPort,
    keyPair: config.bankServer,
    clientCertificates: { kind: "required", authorities: [config.bankAuthority] },
    url: config.bankUrl,
    routes: createBankRoutes({ authorizationServer, callers: config.bankCallers }),
    responses: "data",
    presentError: presentOAuthError,
  });
}

async function openForOperator(open: Opened): Promise<number> {
  const { config, database, lifecycle, metrics } = open;
  const readiness = async () => ({ running: lifecycle.running, database: await database.answers() });
  return keepOpen(open, await openOperatorListener({ port: config.operatorPort, readiness, metrics }));
}

type ListenerRow = Pick<TlsListenerOptions, "name" | "port" | "keyPair" | "clientCertificates"> &
  Pick<ListenerApplicationOptions, "routes" | "responses" | "presentError"> & { readonly url: string };

async function openListener(open: Opened, row: ListenerRow): Promise<number> {
  const { config, clock, log, metrics } = open;
  const { hostname, port } = new URL(row.url);
  const hosts = [new URL(row.url).host, `${hostname}:${port || "443"}`];
  const handle = createListenerApplication({ ...row, hosts, log, metrics, clock });
  const options = {
    ...row,
    host: config.listenHost,
    handle,
    presentProtocolError: presentOAuthProtocolError,
  };
  return keepOpen(open, await openTlsListener({ ...options, log }));
}

function keepOpen({ config, lifecycle }: Opened, listener: Listener): number {
  lifecycle.onStop(`${listener.name} listener`, () => listener.close(config.drainLimitSeconds * 1000));
  return listener.port;
}

function callersWith({ bankCallers }: AuthConfiguration, right: BankRight): readonly string[] {
  return [...bankCallers].filter(([, rights]) => rights.has(right)).map(([name]) => name);
}
