/**
 * The composition root of the resource server: it opens the database, the client to auth, and three listeners, from top
 * to bottom, and says when they may be called. It decides nothing itself.
 */
import { createCertificateVerifier } from "@cobs/psd2-certificates";
import {
  type Clock,
  createListenerApplication,
  createMetrics,
  createPrivateClient,
  type Database,
  type Lifecycle,
  type Listener,
  type ListenerApplicationOptions,
  type Log,
  migrateDatabase,
  openDatabase,
  openOperatorListener,
  openTlsListener,
  type PrivateClient,
  type ProcessMetrics,
  type TlsListenerOptions,
} from "@cobs/service-edge";
import type { Bank } from "./bank/bank.ts";
import { openSandboxBank } from "./bank/sandbox-bank-postgres.ts";
import type { ResourceConfiguration } from "./config.ts";
import { createBankRoutes } from "./http/bank-routes.ts";
import { presentBankError, presentBankProtocolError } from "./http/present-bank-error.ts";
import { presentError, presentProtocolError } from "./http/present-error.ts";
import { createTppRoutes } from "./http/tpp-routes.ts";
import { introspectAtAuth } from "./introspection/introspect-token.ts";
import { rememberIntrospections } from "./introspection/remember-introspections.ts";
import { fetchVerificationKeys, type VerificationKeys } from "./introspection/verification-keys.ts";
import { MIGRATIONS_DIRECTORY } from "./migrations-directory.ts";

/** What a process lends to its service. */
export interface ProcessParts {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
}

/** The ports that are open. */
export interface ResourcePorts {
  readonly mutualTls: number;
  readonly bank: number;
  readonly operator: number;
}

interface Opened extends ProcessParts {
  readonly config: ResourceConfiguration;
  readonly metrics: ProcessMetrics;
  readonly database: Database;
  readonly bank: Bank;
  readonly auth: PrivateClient;
  readonly keys: VerificationKeys;
}

/** Migrates, opens everything, and resolves with the ports; what was opened is closed by the lifecycle. */
export async function startResource(
  config: ResourceConfiguration,
  process: ProcessParts,
): Promise<ResourcePorts> {
  await migrateDatabase({ url: config.databaseUrl, directory: MIGRATIONS_DIRECTORY, log: process.log });
  const opened = openParts(config, process);
  return {
    mutualTls: await openForTpps(opened),
    bank: await openForBank(opened),
    operator: await openForOperator(opened),
  };
}

function openParts(config: ResourceConfiguration, process: ProcessParts): Opened {
  const { log, lifecycle, clock } = process;
  const { databaseUrl: url, databaseMaxConnections: maxConnections } = config;
  const database = openDatabase({ url, maxConnections, applicationName: "resource", log });
  lifecycle.onStop("database", () => database.close());
  const auth = createPrivateClient({
    service: "auth",
    base: config.authBankUrl,
    authority: config.bankAuthority,
    certificate: config.bankClient.certificate,
    key: config.bankClient.key.reveal(),
  });
  lifecycle.onStop("client of auth", () => auth.close());
  const metrics = createMetrics("resource");
  const keys = fetchVerificationKeys(auth, clock);
  return { ...process, config, metrics, database, auth, keys, bank: openSandboxBank(database) };
}

function openForTpps(opened: Opened): Promise<number> {
  const { config, clock } = opened;
  const { issuer, introspectionClientId: clientId, resourceServer, freshnessSeconds } = config;
  const agreement = { issuer, clientId, resourceServer };
  const asked = introspectAtAuth(agreement, { client: opened.auth, keys: opened.keys, clock });
  const verifier = createCertificateVerifier({ anchors: config.anchors });
  const introspection = rememberIntrospections(asked, { freshnessSeconds, clock });
  return openApplication(opened, {
    name: "mutual-tls",
    port: config.mutualTlsPort,
    keyPair: config.server,
    // Requested, not required: a call without a good certificate gets an answer of the standard, not an alert.
    clientCertificates: { kind: "requested", authorities: config.anchors.anchors.map(({ pem }) => pem) },
    routes: createTppRoutes(opened.bank, { verifier, introspection, clock }),
    hosts: hostsOf(config.baseUrl),
    presentError,
    presentProtocolError,
  });
}

function openForBank(opened: Opened): Promise<number> {
  const { config, bank } = opened;
  return openApplication(opened, {
    name: "bank",
    port: config.bankPort,
    keyPair: config.bankServer,
    clientCertificates: { kind: "required", authorities: [config.bankAuthority] },
    routes: createBankRoutes(bank, config.bankCallers),
    hosts: hostsOf(config.bankUrl),
    presentError: presentBankError,
    presentProtocolError: presentBankProtocolError,
  });
}

/** What makes one TLS listener differ from another. */
type WantedListener = Pick<ListenerApplicationOptions, "name" | "routes" | "hosts" | "presentError"> &
  Pick<TlsListenerOptions, "port" | "keyPair" | "clientCertificates" | "presentProtocolError">;

async function openApplication(opened: Opened, wanted: WantedListener): Promise<number> {
  const { config, log, metrics, clock } = opened;
  const handle = createListenerApplication({ ...wanted, responses: "data", log, metrics, clock });
  return register(opened, await openTlsListener({ ...wanted, host: config.listenHost, handle, log }));
}

/**
 * Ready means: the database answers, and auth's keys were fetched once. A process that has never reached auth admits
 * nobody and shall get no calls; one that has lost auth later still serves what it remembers, and answers 503 itself.
 */
async function openForOperator(opened: Opened): Promise<number> {
  const { config, database, keys, lifecycle, metrics } = opened;
  const readiness = async () => {
    const [databaseAnswers, authKeys] = await Promise.all([database.answers(), keys.wereFetched()]);
    return { running: lifecycle.running, database: databaseAnswers, authKeys };
  };
  return register(opened, await openOperatorListener({ port: config.operatorPort, readiness, metrics }));
}

function register({ config, lifecycle }: Opened, listener: Listener): number {
  lifecycle.onStop(`${listener.name} listener`, () => listener.close(config.drainLimitSeconds * 1000));
  return listener.port;
}

/** The Host values of a URL, with its port in words and, for the default port, without. */
function hostsOf(url: URL): readonly string[] {
  return [url.host, `${url.hostname}:${url.port || "443"}`];
}
