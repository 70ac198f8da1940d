import { type DatabaseProtection, findDatabaseProtection } from "../database/database-protection.ts";
import type { RedisSettings } from "../redis/connect-redis.ts";
import type { RedisPlace } from "../redis/redis-place.ts";
import type { EdgeConfiguration } from "./edge-configuration.ts";
import type { Secret } from "./secret.ts";
import { isThisMachine } from "./this-machine.ts";

/** The part of a configuration that says how PostgreSQL and Redis are reached. */
export type StoreConnections = Pick<EdgeConfiguration, "mode" | "databaseUrl" | "databaseDirectUrl"> & {
  readonly redis?: RedisSettings | undefined;
};

const DATABASE: Readonly<Record<DatabaseProtection, string | undefined>> = {
  local: undefined,
  none: "asks for no TLS to another machine: sslmode=verify-full protects what is sent",
  unverified:
    "asks for TLS without a full check of the server, so that another machine can pose as the database: use sslmode=verify-full",
  verified: undefined,
};

/**
 * Reasons why somebody on the network could read or change what a service stores, each in a sentence: in production, a connection
 * to PostgreSQL or Redis on another machine without TLS, or without a full check of the server (RTS Article 35(1)). No fault,
 * because a tunnel may protect it.
 */
export function doubtConnections(config: StoreConnections): readonly string[] {
  if (config.mode !== "production") return [];
  return [
    ...doubtDatabase("DATABASE_URL", config.databaseUrl),
    ...doubtDatabase("DATABASE_DIRECT_URL", config.databaseDirectUrl),
    ...(config.redis === undefined ? [] : doubtRedis(config.redis.place)),
  ];
}

function doubtDatabase(name: string, url: Secret | undefined): readonly string[] {
  const doubt = url && DATABASE[findDatabaseProtection(url)];
  return doubt === undefined ? [] : [`${name} ${doubt}`];
}

function doubtRedis(place: RedisPlace): readonly string[] {
  if (place.tls || hostsOf(place).every(({ host }) => isThisMachine(host))) return [];
  return ["REDIS_URL asks for no TLS to another machine: rediss protects what is sent"];
}

function hostsOf(place: RedisPlace) {
  switch (place.form) {
    case "single":
      return [place.server];
    case "sentinel":
      return place.sentinels;
    case "cluster":
      return place.nodes;
  }
}
