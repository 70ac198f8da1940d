import type { ConnectionOptions as TlsOptions } from "node:tls";
import { Cluster, type CommonRedisOptions, Redis as Server } from "ioredis";
import type { RedisHost, RedisPlace } from "./redis-place.ts";
import { overTls } from "./tls-connectors.ts";

/** Where Redis is, and which authority certifies it. */
export interface RedisSettings {
  readonly place: RedisPlace;
  /** PEM of the authority of its certificates; undefined means the system's own. */
  readonly authority: string | undefined;
}

/** A connection of the library: to one server at a time, or to all nodes of a Cluster. */
export type RedisClient = Server | Cluster;

const CONNECT_TIMEOUT_MILLISECONDS = 1_500;
const COMMAND_TIMEOUT_MILLISECONDS = 1_500;
/** Milliseconds after which a silent connection that should have answered is given up. */
const SILENCE_MILLISECONDS = 2_000;
const KEEP_ALIVE_MILLISECONDS = 10_000;
const MAX_RECONNECT_MILLISECONDS = 1_000;
const MAX_ATTEMPTS_AT_NODE = 10;
const NOT_PRIMARY = /^(READONLY|NOREPLICAS)\b/;
const RETRY_IN_CLUSTER_MILLISECONDS = 100;

const reconnectAfter = (attempt: number) => Math.min(attempt * 50, MAX_RECONNECT_MILLISECONDS);

/**
 * Pauses between attempts to reach a node of a Cluster. A node that only restarts keeps its slots, and nobody would announce
 * its return. A node that stays away may have another address by now, so it is given up; when all nodes are given up, the
 * configured ones are asked again.
 */
const returnToNode = (attempt: number) => (attempt > MAX_ATTEMPTS_AT_NODE ? null : reconnectAfter(attempt));

/**
 * Begins to connect, and reconnects for ever. No command waits for a connection or is sent twice: what cannot be done at once
 * fails, so that nothing piles up here and nothing is done after its caller is gone.
 */
export function connectRedis({ place, authority }: RedisSettings, name: string): RedisClient {
  const by = place.form === "sentinel" ? "sentinels" : "name";
  const shared = {
    ...accessOf(place),
    ...tlsOf(place, authority),
    ...(place.tls && overTls(by)),
    ...limits(name),
  };
  const { retryStrategy: _ofOneServer, enableOfflineQueue, ...ofNodes } = shared;
  switch (place.form) {
    case "single":
      return inItsDatabase(new Server({ ...shared, ...place.server, db: place.database }));
    case "sentinel":
      return inItsDatabase(
        new Server({
          ...shared,
          ...sentinelAccess(place, authority),
          name: place.group,
          db: place.database,
        }),
      );
    case "cluster":
      return new Cluster([...place.nodes], {
        enableOfflineQueue,
        clusterRetryStrategy: reconnectAfter,
        clusterNodeRetryStrategy: returnToNode,
        retryDelayOnClusterDown: RETRY_IN_CLUSTER_MILLISECONDS,
        retryDelayOnFailover: RETRY_IN_CLUSTER_MILLISECONDS,
        slotsRefreshTimeout: CONNECT_TIMEOUT_MILLISECONDS,
        redisOptions: ofNodes,
      });
  }
}

/** Leaves a server that refuses the database: the library would go on in database 0, which may belong to somebody else. */
function inItsDatabase(server: Server): Server {
  return server.on("error", (error: Error) => {
    if (isRefusedDatabase(error)) server.disconnect(true);
  });
}

function isRefusedDatabase(error: Error & { readonly command?: { readonly name: string } }): boolean {
  return error.command?.name === "select";
}

function limits(connectionName: string) {
  return {
    connectionName,
    connectTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    commandTimeout: COMMAND_TIMEOUT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    keepAlive: KEEP_ALIVE_MILLISECONDS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: reconnectAfter,
    // A former primary answers so after a failover, or while it is cut off from its replicas; reconnecting finds the new one.
    reconnectOnError: (error: Error) => NOT_PRIMARY.test(error.message),
  } satisfies CommonRedisOptions;
}

function accessOf({ username, password }: RedisPlace) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password: password.reveal() }),
  };
}

function tlsOf({ tls }: RedisPlace, authority: string | undefined) {
  if (!tls) return {};
  const options: TlsOptions = { minVersion: "TLSv1.2", ...(authority !== undefined && { ca: authority }) };
  return { tls: options };
}

/** Sentinels are asked with the same name and password, if they want any. */
function sentinelAccess(
  place: Extract<RedisPlace, { readonly form: "sentinel" }>,
  authority: string | undefined,
) {
  const { username, password } = accessOf(place);
  const { tls } = tlsOf(place, authority);
  const sentinels: RedisHost[] = [...place.sentinels];
  return {
    sentinels,
    sentinelRetryStrategy: reconnectAfter,
    // A hung Sentinel accepts a connection and stays silent; the next is then asked.
    sentinelCommandTimeout: COMMAND_TIMEOUT_MILLISECONDS,
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
    ...(tls !== undefined && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}
