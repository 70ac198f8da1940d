import { type CountCache, createCacheMetrics } from "../cache-metrics.ts";
import { createPrivateClient, type PrivateClient } from "../client/private-client.ts";
import type { Clock } from "../clock.ts";
import type { EdgeConfiguration } from "../configuration/edge-configuration.ts";
import { type Database, openDatabase } from "../database/database-postgres.ts";
import { migrateDatabase } from "../database/migrate-postgres.ts";
import { createListenerApplication, type ListenerApplicationOptions } from "../http/listener-application.ts";
import type { Log } from "../log/log.ts";
import { createMetrics, type ProcessMetrics } from "../metrics.ts";
import { openOperatorListener, type ReadinessCheck } from "../operator-listener.ts";
import { certificateSourceOf, type TppCertificates } from "../tls/forwarded/certificate-source.ts";
import {
  type ClientCertificates,
  type Listener,
  openTlsListener,
  type TlsListenerOptions,
} from "../tls/tls-listener.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** What a process lends to its service. */
export interface ServiceProcess {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
}

/** What each service has: its database, the way to the other service, its metrics. The lifecycle closes them. */
export interface ServiceParts extends ServiceProcess {
  readonly edge: EdgeConfiguration;
  readonly database: Database;
  readonly peer: PrivateClient;
  readonly metrics: ProcessMetrics;
  /** For every cache of the process. */
  readonly countCache: CountCache;
}

/** How a service differs from the other one. */
export interface ServiceShape {
  readonly name: string;
  readonly migrations: string;
  readonly peer: { readonly name: string; readonly bankUrl: URL };
}

/** Migrates and opens what each service has. */
export async function openService(
  edge: EdgeConfiguration,
  process: ServiceProcess,
  { name, migrations, peer }: ServiceShape,
): Promise<ServiceParts> {
  const { log, lifecycle } = process;
  const { databaseUrl: url, databaseMaxConnections: maxConnections, bankClient } = edge;
  const { databaseTimeLimits: timeLimits } = edge;
  await migrateDatabase({ url, directory: migrations, log });
  const database = openDatabase({ url, maxConnections, applicationName: name, log, timeLimits });
  lifecycle.onStop("database", () => database.close());
  const client = createPrivateClient({
    service: peer.name,
    base: peer.bankUrl,
    authority: edge.bankAuthority,
    identity: { certificate: bankClient.certificate, key: bankClient.key.reveal() },
  });
  lifecycle.onStop(`client of ${peer.name}`, () => client.close());
  const metrics = createMetrics(name);
  return { ...process, edge, database, peer: client, metrics, countCache: createCacheMetrics(metrics) };
}

/** What makes one TLS listener of a service differ from another. */
export type ServiceListener = Pick<
  ListenerApplicationOptions,
  "name" | "routes" | "responses" | "compresses" | "presentError"
> &
  Pick<TlsListenerOptions, "port" | "keyPair" | "presentProtocolError"> & {
    readonly clientCertificates: ClientCertificates | TppCertificates;
    /** The URL under which callers know it: only its host is served. */
    readonly url: URL;
  };

/** Opens a TLS listener that the lifecycle closes; gives the port that is open. */
export async function openServiceListener(parts: ServiceParts, wanted: ServiceListener): Promise<number> {
  const { edge, log, metrics, clock } = parts;
  const source = certificateSourceOf(wanted.clientCertificates, edge, parts);
  const { connections, presentedCertificate, guard } = source;
  const asked = { ...wanted, presentedCertificate, hosts: hostsOf(wanted.url) };
  const handle = guard(createListenerApplication({ ...asked, log, metrics, clock }));
  const tls = { ...wanted, clientCertificates: connections, host: edge.listenHost };
  return keepOpen(parts, await openTlsListener({ ...tls, handle, log }));
}

/** Opens the operator's listener; a process that is stopping is not ready, whatever else is asked. */
export async function openServiceOperator(parts: ServiceParts, readiness: ReadinessCheck): Promise<number> {
  const { edge, lifecycle, metrics } = parts;
  const whileRunning = async () => ({ running: lifecycle.running, ...(await readiness()) });
  const options = { port: edge.operatorPort, readiness: whileRunning, metrics };
  return keepOpen(parts, await openOperatorListener(options));
}

function keepOpen({ edge, lifecycle }: ServiceParts, listener: Listener): number {
  lifecycle.onStop(`${listener.name} listener`, () => listener.close(edge.drainLimitSeconds * 1000));
  return listener.port;
}

/** The Host values of a URL, with its port in words and, for the default port, without. */
function hostsOf(url: URL): readonly string[] {
  return [url.host, `${url.hostname}:${url.port || "443"}`];
}
