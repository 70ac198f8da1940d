/**
 * What may be lost, and where it is kept: in Redis, or in PostgreSQL where there is none. This folder owns how it is kept and
 * that it never comes back; it does not own what it means. What was used up is not lost and is therefore not here: codes,
 * marks of assertions and of pushed requests are in PostgreSQL, whatever becomes of Redis.
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

/** What may be lost. */
export interface Ephemeral {
  readonly openStore: OpenEphemeralStore;
  readonly rateLimitStore: RateLimitStore;
  /** Ends the epoch of Redis, and records who ordered it; undefined where there is no Redis. */
  readonly turnEpoch: ((act: Act) => Promise<void>) | undefined;
}

/** Where it is kept: in Redis when that is named, with records marked under a key from the sealing key. */
export interface EphemeralSettings {
  readonly redis: RedisSettings | undefined;
  readonly sealingKey: KeyObject;
}

/** Opens it where configuration says; the lifecycle closes it. */
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
