import { createHash } from "node:crypto";
import { type Database, gather, type Statement } from "@cobs/service-edge";
import { type Bucket, type FullBucket, measureOf, type RateLimitStore } from "./rate-limit-store.ts";

const ASKED = `asked AS (SELECT bucket, measure * interval '1 microsecond' AS measure
  FROM unnest($1::bytea[], $2::int8[]) AS given (bucket, measure))`;

// What is seen decides for all buckets together, and each row decides again when it is locked: what came in between counts.
// Rows are locked in one order, so that two calls never wait for each other.
const POUR = `
  WITH ${ASKED}, seen AS (
    SELECT asked.bucket, asked.measure,
      greatest(held.empty_at, now()) + asked.measure - now() - interval '1 minute' AS over
    FROM asked LEFT JOIN rate_limit AS held USING (bucket)),
  poured AS (
    INSERT INTO rate_limit AS held (bucket, empty_at)
    SELECT bucket, now() + measure FROM seen
    WHERE NOT EXISTS (SELECT FROM seen WHERE over > interval '0') ORDER BY bucket
    ON CONFLICT (bucket) DO UPDATE SET empty_at = greatest(held.empty_at, now()) + (excluded.empty_at - now())
    WHERE greatest(held.empty_at, now()) + (excluded.empty_at - now()) <= now() + interval '1 minute'
    RETURNING bucket)
  SELECT bucket, (extract(epoch FROM over) * 1000)::float8 AS over_milliseconds,
    EXISTS (SELECT FROM poured WHERE poured.bucket = seen.bucket) AS poured
  FROM seen`;

const OVERFILL = `
  WITH ${ASKED}
  INSERT INTO rate_limit AS held (bucket, empty_at) SELECT bucket, now() + measure FROM asked ORDER BY bucket
  ON CONFLICT (bucket) DO UPDATE SET empty_at =
    least(greatest(held.empty_at, now()), now() + interval '1 minute') + (excluded.empty_at - now())`;

/** Deletes buckets that have run empty; not there, they are the same. */
export function forgetEmptyBuckets(batchRows: number): Statement {
  const text = `DELETE FROM rate_limit WHERE bucket IN (
    SELECT bucket FROM rate_limit WHERE empty_at <= now() LIMIT ${batchRows} FOR UPDATE SKIP LOCKED) RETURNING 1`;
  return { name: "rate-limit-clean", text, values: [] };
}

interface SeenRow {
  readonly bucket: Buffer;
  readonly over_milliseconds: number;
  readonly poured: boolean;
}

const digest = (name: string) => createHash("sha256").update(name).digest();

/** How much goes into a bucket, in microseconds of running empty. */
interface Portion {
  readonly name: string;
  readonly measure: number;
}

const portionOf = (bucket: Bucket): Portion => ({ name: bucket.name, measure: measureOf(bucket) });

function valuesOf(portions: readonly Portion[]) {
  return [portions.map(({ name }) => digest(name)), portions.map(({ measure }) => String(measure))];
}

/** The buckets that were full already; else those that others, at the same moment, have filled. */
function fullAmong(buckets: readonly Bucket[], rows: readonly SeenRow[]): readonly FullBucket[] {
  const refused = rows.filter(({ poured }) => !poured);
  const before = refused.filter((row) => row.over_milliseconds > 0);
  return (before.length > 0 ? before : refused).flatMap((row) => {
    const bucket = buckets.find(({ name }) => digest(name).equals(row.bucket));
    if (bucket === undefined) return [];
    const full = row.over_milliseconds > 0 ? row.over_milliseconds : measureOf(bucket) / 1000;
    return [{ name: bucket.name, waitMilliseconds: full }];
  });
}

/** What several calls pour together. */
function portionsOf(calls: readonly (readonly Bucket[])[]): readonly Portion[] {
  const measures = new Map<string, number>();
  for (const bucket of calls.flat())
    measures.set(bucket.name, (measures.get(bucket.name) ?? 0) + measureOf(bucket));
  return [...measures].map(([name, measure]) => ({ name, measure }));
}

/** Counts in PostgreSQL, with one statement a call at most; for an installation without Redis. */
export function createRateLimitStore(database: Database): RateLimitStore {
  const run = (portions: readonly Portion[]) =>
    database.run<SeenRow>({ name: "rate-limit-pour", text: POUR, values: valuesOf(portions) });
  const pour = async (buckets: readonly Bucket[]) => fullAmong(buckets, await run(buckets.map(portionOf)));
  return {
    // What has room for all calls of a moment has room for each of them; else each is counted for itself.
    pour: gather(async (calls: readonly (readonly Bucket[])[]) => {
      const [only = [], ...others] = calls;
      if (others.length === 0) return [await pour(only)];
      const rows = await run(portionsOf(calls));
      return rows.every((row) => row.poured) ? calls.map(() => []) : Promise.all(calls.map(pour));
    }),
    async overfill(buckets, measures) {
      const portions = buckets.map((bucket) => ({
        name: bucket.name,
        measure: measureOf(bucket) * measures,
      }));
      await database.run({ name: "rate-limit-overfill", text: OVERFILL, values: valuesOf(portions) });
    },
  };
}
