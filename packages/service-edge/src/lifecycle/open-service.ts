import type { CurrentIdentity } from "../client/current-identity.ts";
import { createPrivateClient, type PrivateClient } from "../client/private-client.ts";
import type { Clock } from "../clock.ts";
import type { EdgeConfiguration } from "../configuration/edge-configuration.ts";
import { createDatabaseHosts } from "../database/database-hosts.ts";
import { type Database, openDatabase } from "../database/database-postgres.ts";
import { migrateDatabase } from "../database/migrate-postgres.ts";
import { createListenerApplication, type ListenerApplicationOptions } from "../http/listener-application.ts";
import { type CountJob, createJobMetrics } from "../jobs/job-metrics.ts";
import type { Log } from "../log/log.ts";
import { type CountCache, createCacheMetrics } from "../metrics/cache-metrics.ts";
import { type CountConnections, createConnectionMetrics } from "../metrics/connection-metrics.ts";
import { countDatabase } from "../metrics/database-metrics.ts";
import { createOutgoingMetrics, type OutgoingMetrics } from "../metrics/outgoing-metrics.ts";
import { createOwnCertificateMetrics, type ShowCertificate } from "../metrics/own-certificate-metrics.ts";
import { createMetrics, type ProcessMetrics } from "../metrics/process-metrics.ts";
import type { ReadinessCheck } from "../operator-listener.ts";
import type { SharedRoom } from "../tls/bound-connections.ts";
import { certificateSourceOf, type TppCertificates } from "../tls/forwarded/certificate-source.ts";
import { followOwnIdentity } from "../tls/own-identity.ts";
import { type ClientCertificates, openTlsListener, type TlsListenerOptions } from "../tls/tls-listener.ts";
import { openTracing } from "../tracing/open-tracing.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { connectionsThatFit } from "./open-files.ts";
import { type OperatorSide, openOperator } from "./open-operator.ts";
import type { Supervisor } from "./processes/supervisor.ts";

/** What a process provides to its service. */
export interface ServiceProcess {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  /** Answers the operator for this process, if it is one of several that share their ports. */
  readonly supervisor?: Supervisor | undefined;
}

/** Parts that every service has: its database, its client of the other service, its metrics. The lifecycle closes them. */
export interface ServiceParts extends ServiceProcess {
  readonly edge: EdgeConfiguration;
  readonly database: Database;
  readonly peer: PrivateClient;
  /** Identity that this service shows to all others of the bank. */
  readonly identity: CurrentIdentity;
  readonly metrics: ProcessMetrics;
  /** Counts every cache of the process. */
  readonly countCache: CountCache;
  /** Counts the rounds of every repeated job of the process. */
  readonly countJob: CountJob;
  readonly countConnections: CountConnections;
  /** Times every request of the process to others, except those to the core system. */
  readonly outgoing: OutgoingMetrics;
  /** Reports every certificate of the process itself. */
  readonly showCertificate: ShowCertificate;
  readonly operator: OperatorSide;
  /** Room for the connections of all its TLS listeners, as strangers and as the bank's own callers may take it. */
  readonly rooms: { readonly ofBank: SharedRoom; readonly ofStrangers: SharedRoom };
  readonly tracing: Tracing;
}

/** Properties in which the two services differ. */
export interface ServiceShape {
  readonly name: string;
  readonly migrations: string;
  /** Tables whose `id` a sequence gives. */
  readonly numbered?: readonly string[];
  readonly peer: { readonly name: string; readonly bankUrl: URL };
}

/** Migrates the database and opens the parts that every service has. */
export async function openService(
  edge: EdgeConfiguration,
  process: ServiceProcess,
  { name, migrations, numbered = [], peer }: ServiceShape,
): Promise<ServiceParts> {
  const { log, lifecycle } = process;
  const { databaseUrl: url, databaseMaxConnections: maxConnections } = edge;
  const { databaseTimeLimits: timeLimits } = edge;
  const metrics = createMetrics(name);
  // Counters of two processes must not be merged: those of a newly started process begin at zero.
  if (process.supervisor !== undefined)
    metrics.registry.setDefaultLabels({ service: name, process: String(process.supervisor.number) });
  const operator = await openOperator(edge, process, { metrics, missing: async () => ({ database: false }) });
  const tracing = await openTracing(edge.tracing, process, name);
  const servers = findServers(edge);
  const pooled = edge.databaseDirectUrl === undefined ? undefined : servers.hosts;
  const schema = { directory: migrations, numbered };
  await migrateDatabase({ url, hosts: servers.direct, pooled, ...schema, log });
  const opened = openDatabase({ url, ...servers, maxConnections, applicationName: name, log, timeLimits });
  const database = tracing.database(countDatabase(opened, metrics, maxConnections));
  lifecycle.onStop("database", () => database.close());
  const showCertificate = createOwnCertificateMetrics(metrics, log);
  const onCertificate = showCertificate("bank-client", edge.bankAuthority);
  const own = followOwnIdentity(edge, { log, onCertificate });
  lifecycle.onStop("own certificate", async () => own.stop());
  const client = createPrivateClient({
    service: peer.name,
    base: peer.bankUrl,
    authority: edge.bankAuthority,
    identity: own.current,
    limitMilliseconds: edge.peerLimitMilliseconds,
  });
  lifecycle.onStop(`client of ${peer.name}`, () => client.close());
  const countCache = createCacheMetrics(metrics);
  const countJob = createJobMetrics(metrics, log);
  const countConnections = createConnectionMetrics(metrics);
  const outgoing = createOutgoingMetrics(metrics);
  const traced = { database, peer: tracing.peer(client, peer.name), tracing };
  const figures = { countCache, countJob, countConnections, outgoing, showCertificate };
  const rooms = openRooms();
  return { ...process, ...traced, identity: own.current, edge, metrics, operator, rooms, ...figures };
}

function openRooms(): ServiceParts["rooms"] {
  const { ofBank, ofStrangers } = connectionsThatFit();
  const taken = { count: 0 };
  return { ofBank: { most: ofBank, taken }, ofStrangers: { most: ofStrangers, taken } };
}

/** Finds the servers of both URLs; what the migration learns about them is kept. */
function findServers({ databaseUrl: url, databaseDirectUrl: directUrl = url }: EdgeConfiguration) {
  const direct = createDatabaseHosts(directUrl);
  const hosts = directUrl === url ? direct : createDatabaseHosts(url);
  return { direct, hosts };
}

/** Properties in which the TLS listeners of a service differ. */
export type ServiceListener = Pick<
  ListenerApplicationOptions,
  "name" | "routes" | "responses" | "compresses" | "presentError"
> &
  Pick<TlsListenerOptions, "port" | "keyPair" | "presentProtocolError"> & {
    readonly clientCertificates: ClientCertificates | TppCertificates;
    /** URL under which callers know it; only its host is served. */
    readonly url: URL;
  };

/** Opens a TLS listener that the lifecycle closes; returns its open port. */
export async function openServiceListener(parts: ServiceParts, wanted: ServiceListener): Promise<number> {
  const { edge, log, metrics, clock, rooms } = parts;
  const source = certificateSourceOf(wanted.clientCertificates, edge, parts);
  const { connections, presentedCertificate, guard } = source;
  const routes = parts.tracing.routes(wanted.routes);
  const asked = { ...wanted, routes, presentedCertificate, hosts: hostsOf(wanted.url) };
  const handle = guard(createListenerApplication({ ...asked, log, metrics, clock }));
  const { listenHost: host, maxConnections } = edge;
  const connectionCount = parts.countConnections(wanted.name);
  const ofBank = wanted.keyPair === edge.bankServer ? edge.bankAuthority : undefined;
  const onCertificate = parts.showCertificate(wanted.name, ofBank);
  const sharedRoom = wanted.clientCertificates.kind === "required" ? rooms.ofBank : rooms.ofStrangers;
  const tls = { ...wanted, clientCertificates: connections, host, maxConnections, sharedRoom };
  const listener = await openTlsListener({ ...tls, handle, log, connectionCount, onCertificate });
  const close = () => listener.close(edge.drainLimitSeconds * 1000);
  parts.lifecycle.onDrain(`${listener.name} listener`, { drain: listener.drain, close });
  return listener.port;
}

/** Lets the operator's listener, already open, ask the service itself; returns its port. */
export function openServiceOperator({ operator }: ServiceParts, readiness: ReadinessCheck): number {
  operator.began(readiness);
  return operator.port;
}

/** Host header values of a URL: with its port and, for the default port, also without. */
function hostsOf(url: URL): readonly string[] {
  return [url.host, `${url.hostname}:${url.port || "443"}`];
}
