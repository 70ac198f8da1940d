/**
 * Failed sign-ins in a row, per username. The balance: five failures block a username for five minutes, and each further
 * five for twice as long, up to an hour; a good sign-in, or a day without a try, forgets them. So a stranger who knows
 * only the username can disturb its PSU while they keep trying and an hour afterwards, never for good, and never on a device
 * on which the PSU has signed in before: that one is counted by itself. Tries during a block are not evaluated, not
 * counted, and do not prolong it. A thief who knows the password has 120 tries a day at a code of six digits, instead
 * of any number. Of a PSU whom the bank has blocked right factors are counted like wrong ones: who tries them shall not learn
 * from the number of tries that are left that they are right.
 */
import type { KeyObject } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { isPsuBlocked } from "../../psu-block/psu-blocks-postgres.ts";
import { authenticate } from "../../sealing/sealing.ts";

/** Whether an attempt may be evaluated. */
export type Admission = { readonly blockedUntil: Date | undefined };

/**
 * A value that a username, a device or a proof falls on, each kind in a range of its own; only the key tells which. One of
 * 2^20 for usernames and proofs, which strangers name, so that the table cannot grow past two million short rows by them.
 */
export type Bucket = number;

const BUCKET_SHIFT = 12;
const FIRST_DEVICE_BUCKET = 2 ** 20;
const DEVICE_SHIFT = 2;
const FIRST_PROOF_BUCKET = FIRST_DEVICE_BUCKET + 2 ** 30;
const FORGET_AT_ONCE = 10;

// A block that is further ahead than its longest length and an hour was set by a clock that was, and would last until all others
// had caught up.
const IS_OPEN = `known.blocked_until IS NULL OR known.blocked_until <= $2
        OR known.blocked_until > $2::timestamptz + interval '2 hours'`;

/**
 * How a statement begins that counts an attempt as a failure; it goes on with what it gives of `counted`, whose `failures` are
 * there when the attempt may be evaluated. In the same statement a few go that are forgotten, so that the table does not grow.
 */
export const COUNTED_ATTEMPT = `WITH counted AS (
    INSERT INTO sandbox_sign_in_failure AS known (bucket, failures, failed_at) VALUES ($1, 1, $2)
    ON CONFLICT (bucket) DO UPDATE SET
      failed_at = $2,
      failures = CASE WHEN known.failed_at < $2::timestamptz - interval '1 day' THEN 1 ELSE known.failures + 1 END,
      blocked_until = CASE WHEN known.failed_at >= $2::timestamptz - interval '1 day' AND (known.failures + 1) % 5 = 0
        THEN $2::timestamptz + least(60, 5 * 2 ^ least((known.failures + 1) / 5 - 1, 4)) * interval '1 minute' END
      WHERE ${IS_OPEN}
    RETURNING failures
  ), forgotten AS (
    DELETE FROM sandbox_sign_in_failure WHERE bucket = ANY (ARRAY(
      SELECT bucket FROM sandbox_sign_in_failure WHERE failed_at < $2::timestamptz - interval '1 day' AND bucket <> $1
      ORDER BY failed_at LIMIT $3 FOR UPDATE SKIP LOCKED))
  )`;
const COUNT = `${COUNTED_ATTEMPT} SELECT failures FROM counted`;

/** The bucket of a username in its normal form. */
export function bucketOf(key: KeyObject, username: string): Bucket {
  return authenticate(key, username).readUInt32BE() >>> BUCKET_SHIFT;
}

/** The bucket of a device, by the name in its mark: one of 2^30, so that nobody who collects marks meets another device's. */
export function bucketOfDevice(key: KeyObject, name: string): Bucket {
  return FIRST_DEVICE_BUCKET + (authenticate(key, `device ${name}`).readUInt32BE() >>> DEVICE_SHIFT);
}

/**
 * The bucket of a proof without a username, by what it names. Whoever makes a proof chooses that, and their own good sign-ins
 * empty its bucket: it can be no username's.
 */
export function bucketOfProof(key: KeyObject, name: string): Bucket {
  return FIRST_PROOF_BUCKET + bucketOf(key, name);
}

/** An attempt, and where its failure is counted. */
export interface CountedAttempt {
  readonly bucket: Bucket;
  readonly now: Date;
}

/** The values of {@link COUNTED_ATTEMPT}. */
export function attemptValues({ bucket, now }: CountedAttempt): readonly unknown[] {
  return [bucket, now, FORGET_AT_ONCE];
}

/**
 * Counts an attempt as a failure before it is evaluated, in one statement, so that parallel guesses cannot pass the limit.
 * The fifth is still evaluated; those after it find the bucket blocked.
 */
export async function admitAttempt(database: Database, attempt: CountedAttempt): Promise<Admission> {
  const statement = { name: "sandbox-sign-in-count", text: COUNT, values: attemptValues(attempt) };
  const [counted] = await database.run<{ failures: number }>(statement);
  return admissionOf(database, attempt, counted?.failures);
}

/** What {@link COUNTED_ATTEMPT} has decided: without a count the bucket is blocked. */
export async function admissionOf(
  database: Database,
  { bucket, now }: CountedAttempt,
  failures: number | null | undefined,
): Promise<Admission> {
  const isAdmitted = typeof failures === "number";
  return { blockedUntil: isAdmitted ? undefined : await findBlockEnd(database, bucket, now) };
}

const FORGET = `DELETE FROM sandbox_sign_in_failure WHERE bucket = $1 AND NOT ${isPsuBlocked("$2")}`;

/** Begins to count anew, because a PSU was right. */
export async function forgetFailures(database: Database, bucket: Bucket, psu: PsuId): Promise<void> {
  await database.run({ name: "sandbox-sign-in-forget-bucket", text: FORGET, values: [bucket, psu] });
}

/** A block that a good sign-in lifted in between counts as ending now. */
async function findBlockEnd(database: Database, bucket: Bucket, now: Date): Promise<Date> {
  const [row] = await database.run<{ blocked_until: Date | null }>({
    name: "sandbox-sign-in-block-end",
    text: "SELECT blocked_until FROM sandbox_sign_in_failure WHERE bucket = $1",
    values: [bucket],
  });
  return row?.blocked_until ?? now;
}
