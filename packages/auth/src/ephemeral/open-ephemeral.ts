/**
 * Data that may be lost, kept in Redis, or in PostgreSQL when there is no Redis. This folder owns how it is kept and that it
 * never comes back once lost; it does not own what it means. Marks of what was used up must not be lost, and so are not here:
 * codes, marks of assertions and of pushed requests are in PostgreSQL, whatever becomes of Redis.
 */
import type { KeyObject } from "node:crypto";
import {
  createRedisMetrics,
  openRedis,
  type Redis,
  type RedisSettings,
  type ServiceParts,
} from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import type { RateLimitStore } from "../limits/rate-limit-store.ts";
import { createRateLimitsInPostgres } from "../limits/rate-limit-store-postgres.ts";
import { createRateLimitsInRedis } from "../limits/rate-limit-store-redis.ts";
import { createEphemeralEpochs, recordTurn } from "./ephemeral-epoch-postgres.ts";
import type { OpenEphemeralStore } from "./ephemeral-store.ts";
import { openEphemeralStores } from "./ephemeral-store-postgres.ts";
import { createEphemeralStoreInRedis } from "./ephemeral-store-redis.ts";
import { createEpochMetrics } from "./epoch-metrics.ts";
import { createFencedRedis, type FencedRedis } from "./fenced-redis.ts";
import { deriveRecordKey } from "./marked-record.ts";

/** Stores of data that may be lost. */
export interface Ephemeral {
  readonly openStore: OpenEphemeralStore;
  readonly rateLimitStore: RateLimitStore;
  /** Ends the epoch of Redis, and records who ordered it; undefined without Redis. */
  readonly turnEpoch: ((act: Act) => Promise<void>) | undefined;
}

/** Where the data is kept: in Redis if configured, with records marked under a key derived from the sealing key. */
export interface EphemeralSettings {
  readonly redis: RedisSettings | undefined;
  readonly sealingKey: KeyObject;
}

/** Opens the stores that configuration names; the lifecycle closes them. */
export async function openEphemeral(
  { redis: settings, sealingKey }: EphemeralSettings,
  parts: ServiceParts,
): Promise<Ephemeral> {
  const { database, log, lifecycle, tracing } = parts;
  if (settings === undefined) {
    const openStore = openEphemeralStores(database);
    return { openStore, rateLimitStore: createRateLimitsInPostgres(database), turnEpoch: undefined };
  }
  const metrics = createRedisMetrics(parts.metrics);
  const redis = tracing.redis(await openRedis({ settings, applicationName: "auth", metrics, log }));
  lifecycle.onStop("Redis", () => redis.close());
  const fenced = fence(redis, parts);
  const marks = {
    key: deriveRecordKey(sealingKey),
    onForeign: (kind: string) => log.warn({ kind }, "Redis holds a record that auth did not write"),
  };
  const openStore = <Payload extends object>() => createEphemeralStoreInRedis<Payload>(fenced, marks);
  const turnEpoch = (act: Act) => fenced.turn((next, queries) => recordTurn(queries, act, next));
  return { openStore, rateLimitStore: createRateLimitsInRedis(redis), turnEpoch };
}

function fence(redis: Redis, { database, log, metrics }: ServiceParts): FencedRedis {
  const turns = createEpochMetrics(metrics);
  const epochs = createEphemeralEpochs(database);
  return createFencedRedis({ redis, epochs, onTurn: turns.turned, log });
}
