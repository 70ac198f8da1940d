/** Clean-up that keeps up: for a minute, a thousand tokens a second that live for six seconds, in PostgreSQL and in Redis. */
import { createSecretKey, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  createLog,
  type Database,
  migrateDatabase,
  openDatabase,
  openRedis,
  Secret,
} from "@cobs/service-edge";
import { createEphemeralEpochs } from "../../../packages/auth/src/ephemeral/ephemeral-epoch-postgres.ts";
import { createEphemeralStoreInRedis } from "../../../packages/auth/src/ephemeral/ephemeral-store-redis.ts";
import { createFencedRedis } from "../../../packages/auth/src/ephemeral/fenced-redis.ts";
import { MIGRATIONS_DIRECTORY } from "../../../packages/auth/src/migrations-directory.ts";
import { startCleaning } from "../../../packages/auth/src/records/clean-expired-postgres.ts";
import { createTokenStore } from "../../../packages/auth/src/tokens/token-store-postgres.ts";
import { ensureDatabase } from "../../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import { startEmbeddedPostgres } from "../../../packages/sandbox/src/postgres/start-embedded-postgres.ts";
import { parseRedisPlace } from "../../../packages/service-edge/src/redis/redis-place.ts";
import { type RedisServer, startRedis } from "../../../test/support/redis-servers.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { plan, type Verdict } from "../fault-case.ts";
import { type ExpiringPlace, type ExpiryFigures, percentile, runExpiry } from "../load/expiring-tokens.ts";

const MARKS = { key: createSecretKey(randomBytes(32)), onForeign: () => undefined };

interface Scene {
  /** Two databases of one server; the tokens are stored in the first. */
  readonly databases: readonly [Database, Database];
  /** The first database again, so that finds do not wait for the connections that store. */
  readonly finding: Database;
  readonly redis: readonly [RedisServer, RedisServer];
  readonly seconds: number;
  close(): Promise<void>;
}

const PER_SECOND = 1_000;
const LIFETIME_SECONDS = 6;
const SECONDS = 60;
const QUICK_SECONDS = 15;
const GOAL = 1.5;
/** Share of the planned tokens that must have been stored; refused ones are no load. */
const ENOUGH = 0.95;
/** As long as an access token with its claims, or a session. */
const PAYLOAD = { accountId: "psu", clientId: "application", extra: "x".repeat(600) };
const KIND = "AccessToken";
const log = createLog("faults", "error", { write: () => undefined });
const NO_METRICS = { connected: () => undefined, ran: () => undefined };
/** Generous, because a machine that is busy with other things is no reason to fail. */
const PATIENT = { connection: 20_000, statement: 20_000 };

function inPostgres(storing: Database, finding: Database): ExpiringPlace {
  const [stored, found] = [createTokenStore<typeof PAYLOAD>(storing), createTokenStore(finding)];
  return {
    put: (id, lifetimeSeconds) =>
      stored.put({ kind: KIND, id }, PAYLOAD, { grantId: `grant of ${id}`, lifetimeSeconds }),
    find: async (id) => (await found.find({ kind: KIND, id })) !== undefined,
  };
}

async function sizeInPostgres(database: Database): Promise<number> {
  const text = "SELECT pg_total_relation_size('token')::int AS bytes";
  const [row] = await database.run<{ bytes: number }>({ name: "size", text, values: [] });
  return row?.bytes ?? 0;
}

async function expireInPostgres({ databases, finding, seconds }: Scene): Promise<Verdict> {
  const [busy, empty] = databases;
  const cleaning = startCleaning(busy, log);
  const places = { busy: inPostgres(busy, finding), empty: inPostgres(empty, empty) };
  try {
    const figures = await runExpiry(places, loadOf(seconds), () => sizeInPostgres(busy));
    return judge(figures, { seconds, unit: "bytes" });
  } finally {
    await cleaning.stop();
  }
}

async function expireInRedis({ databases, redis, seconds }: Scene): Promise<Verdict> {
  const opened = await Promise.all(
    redis.map(({ url }) => {
      const settings = { place: parseRedisPlace(url), authority: undefined };
      return openRedis({ settings, applicationName: "faults", metrics: NO_METRICS, log });
    }),
  );
  const placeOf = (index: 0 | 1): ExpiringPlace => {
    const own = opened[index];
    if (own === undefined) throw new TypeError("both were opened");
    const epochs = createEphemeralEpochs(databases[index]);
    const store = createEphemeralStoreInRedis<typeof PAYLOAD>(
      createFencedRedis({ redis: own, epochs, onTurn: () => undefined, log }),
      MARKS,
    );
    return {
      put: (id, lifetimeSeconds) =>
        store.put({ kind: KIND, id }, PAYLOAD, { uid: undefined, lifetimeSeconds }),
      find: async (id) => (await store.find({ kind: KIND, id })) !== undefined,
    };
  };
  try {
    const measure = () => redis[0].client.dbsize();
    const figures = await runExpiry({ busy: placeOf(0), empty: placeOf(1) }, loadOf(seconds), measure);
    return judge(figures, { seconds, unit: "keys" });
  } finally {
    await Promise.all(opened.map((each) => each.close()));
  }
}

const loadOf = (seconds: number) => ({ perSecond: PER_SECOND, lifetimeSeconds: LIFETIME_SECONDS, seconds });

/** The size counts as bounded if its peak in the second half is at most `GOAL` times that in the first. */
function judge(
  { stored, found, lost, revived, busy, empty, sizes }: ExpiryFigures,
  { seconds, unit }: { readonly seconds: number; readonly unit: "bytes" | "keys" },
): Verdict {
  const half = Math.floor(sizes.length / 2);
  const [early, late] = [Math.max(...sizes.slice(0, half)), Math.max(...sizes.slice(half))];
  const [ofBusy, ofEmpty] = [percentile(busy, 99), percentile(empty, 99)];
  const ratio = ofBusy / ofEmpty;
  const isEnough = stored >= PER_SECOND * seconds * ENOUGH;
  const held = isEnough && ratio <= GOAL && late <= early * GOAL && lost === 0 && revived === 0 && found > 0;
  const size = (value: number) =>
    unit === "bytes" ? `${(value / 2 ** 20).toFixed(1)} MiB` : `${value} ${unit}`;
  return {
    held,
    detail: [
      `${stored} stored`,
      `find p99 ${ofBusy.toFixed(2)} ms, ${ofEmpty.toFixed(2)} ms where nothing is: ratio ${ratio.toFixed(2)}, at most ${GOAL}`,
      `p50 ${percentile(busy, 50).toFixed(2)} and ${percentile(empty, 50).toFixed(2)} ms`,
      `${size(early)} at most in the first half, ${size(late)} in the second`,
      `${lost} of ${found + lost} living ones not found, ${revived} expired ones found`,
    ].join("; "),
  };
}

async function openDatabases(directory: string) {
  const server = await startEmbeddedPostgres({ directory: join(directory, "pg"), durability: "full" });
  const open = async (name: string) => {
    const url = new Secret(await ensureDatabase(server, { name, role: name, password: name }));
    await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    return openDatabase({ url, maxConnections: 8, applicationName: "faults", log, timeLimits: PATIENT });
  };
  const databases = [await open("busy"), await open("empty")] as const;
  return { server, databases, finding: await open("busy") };
}

export const EXPIRY = plan<Scene>({
  open: async ({ quick }) => {
    const directory = makeTemporaryFolder("cobs-expiry-");
    const { server, databases, finding } = await openDatabases(directory);
    const redis = [await startRedis(), await startRedis()] as const;
    const close = async () => {
      const opened = [...databases, finding];
      await Promise.all([...opened.map((each) => each.close()), ...redis.map((each) => each.stop())]);
      await server.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    };
    return { databases, finding, redis, seconds: quick ? QUICK_SECONDS : SECONDS, close };
  },
  close: (scene) => scene.close(),
  cases: [
    { name: "expiry/postgres", run: expireInPostgres },
    { name: "expiry/redis", run: expireInRedis },
  ],
});
