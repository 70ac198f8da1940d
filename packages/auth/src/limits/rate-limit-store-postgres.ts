import { hash } from "node:crypto";
import { type Database, gather, type Statement } from "@cobs/service-edge";
import {
  type Bucket,
  type FullBucket,
  MOST_OVERFILLED,
  measureOf,
  type RateLimitStore,
} from "./rate-limit-store.ts";

const POUR = "SELECT full_bucket, over_milliseconds FROM pour_rate_limits($1, $2)";

const OVERFILL = `
  INSERT INTO rate_limit AS held (bucket, empty_at)
  SELECT bucket, now() + measure * interval '1 microsecond'
  FROM unnest($1::bytea[], $2::int8[]) AS given (bucket, measure) ORDER BY bucket
  ON CONFLICT (bucket) DO UPDATE SET empty_at =
    least(greatest(held.empty_at, now()), now() + interval '1 minute') + (excluded.empty_at - now())`;

const FORGET_AHEAD = `
  DELETE FROM rate_limit
  WHERE bucket = $1 AND empty_at > now() + interval '1 minute' + $2::int8 * interval '1 microsecond'`;

/** Builds the statement that deletes a batch of empty buckets; a missing bucket counts as empty. */
export function forgetEmptyBuckets(batchRows: number): Statement {
  const text = `DELETE FROM rate_limit WHERE bucket = ANY (ARRAY(
    SELECT bucket FROM rate_limit WHERE empty_at <= now() LIMIT ${batchRows} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
  return { name: "rate-limit-clean", text, values: [] };
}

interface FullRow {
  readonly full_bucket: Buffer;
  readonly over_milliseconds: number;
}

const digest = (name: string) => hash("sha256", name, "buffer");

/** Amount to pour into a bucket, in microseconds of draining. */
interface Portion {
  readonly name: string;
  readonly measure: number;
}

const portionOf = (bucket: Bucket): Portion => ({ name: bucket.name, measure: measureOf(bucket) });

function valuesOf(portions: readonly Portion[]) {
  return [portions.map(({ name }) => digest(name)), portions.map(({ measure }) => String(measure))];
}

/** Tells whether a bucket was filled before the clock was set back: its wait is longer than overfilling can explain. */
function isAhead({ waitMilliseconds, ...bucket }: Bucket & FullBucket): boolean {
  return waitMilliseconds * 1000 > measureOf(bucket) * (MOST_OVERFILLED + 1);
}

/** Sums what several requests pour. */
function portionsOf(calls: readonly (readonly Bucket[])[]): readonly Portion[] {
  const measures = new Map<string, number>();
  for (const buckets of calls)
    for (const bucket of buckets)
      measures.set(bucket.name, (measures.get(bucket.name) ?? 0) + measureOf(bucket));
  return [...measures].map(([name, measure]) => ({ name, measure }));
}

/** Counts in PostgreSQL, with at most one statement per request, for an installation without Redis. */
export function createRateLimitsInPostgres(database: Database): RateLimitStore {
  const run = (portions: readonly Portion[]) =>
    database.run<FullRow>({ name: "rate-limit-pour", text: POUR, values: valuesOf(portions) });
  async function pour(buckets: readonly Bucket[]): Promise<readonly FullBucket[]> {
    const rows = await run(buckets.map(portionOf));
    const full = buckets.flatMap((bucket) => {
      const row = rows.find(({ full_bucket }) => full_bucket.equals(digest(bucket.name)));
      return row === undefined ? [] : [{ ...bucket, waitMilliseconds: row.over_milliseconds }];
    });
    const ahead = full.filter(isAhead);
    if (ahead.length === 0) return full.map(({ name, waitMilliseconds }) => ({ name, waitMilliseconds }));
    await Promise.all(ahead.map(forgetAhead));
    return pour(buckets);
  }
  async function forgetAhead(bucket: Bucket): Promise<void> {
    const values = [digest(bucket.name), String(measureOf(bucket) * MOST_OVERFILLED)];
    await database.run({ name: "rate-limit-forget-ahead", text: FORGET_AHEAD, values });
  }
  return {
    // If there is room for all concurrent requests, there is room for each; otherwise each is counted by itself.
    pour: gather(async (calls: readonly (readonly Bucket[])[]) => {
      const [only = [], ...others] = calls;
      if (others.length === 0) return [await pour(only)];
      const full = await run(portionsOf(calls));
      return full.length === 0 ? calls.map(() => []) : Promise.all(calls.map(pour));
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
