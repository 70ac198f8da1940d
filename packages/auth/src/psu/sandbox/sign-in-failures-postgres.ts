/**
 * Failed sign-ins in a row, per username. Five failures block a username for five minutes, and each further five for twice as
 * long, up to an hour. A good sign-in, or a day without a try, forgets them. So a stranger who knows only the username can
 * disturb its PSU while they keep trying and for an hour afterwards, never for good. They can never do so on a device on which
 * the PSU is one of the last four who have signed in: their failures there are counted by themselves. Tries during a block are
 * neither evaluated nor counted, and do not prolong it. A thief who knows the password has 120 tries a day at a code of six
 * digits, instead of any number. For a PSU whom the bank has blocked, right factors are counted like wrong ones: the number of
 * tries left must not reveal that they are right.
 */
import type { KeyObject } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { isPsuBlocked } from "../../psu-block/psu-blocks-postgres.ts";
import { authenticate } from "../../sealing/sealing.ts";

/** Whether an attempt may be evaluated. */
export type Admission = { readonly blockedUntil: Date | undefined };

/**
 * The number under which the failures of a username, a device or a proof are counted, each kind in a range of its own; only the
 * key tells which. Usernames and proofs, which strangers name, have 2^20 each, so that strangers cannot grow the table past two
 * million short rows.
 */
export type Bucket = number;

const BUCKET_SHIFT = 12;
const FIRST_DEVICE_BUCKET = 2 ** 20;
const DEVICE_SHIFT = 2;
const FIRST_PROOF_BUCKET = FIRST_DEVICE_BUCKET + 2 ** 30;
const FORGET_AT_ONCE = 10;

// A block that ends later than the longest block and an hour was set by a clock that ran ahead, and would last until all other
// clocks had caught up.
const IS_OPEN = `known.blocked_until IS NULL OR known.blocked_until <= $2
        OR known.blocked_until > $2::timestamptz + interval '2 hours'`;

/**
 * The beginning of a statement that counts an attempt as a failure. The rest selects from `counted`, whose `failures` are present
 * when the attempt may be evaluated. The statement also deletes a few forgotten rows, so that the table does not grow.
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

/** The bucket of a device, by the name in its mark: one of 2^30, so that a collector of marks does not hit another device's. */
export function bucketOfDevice(key: KeyObject, name: string): Bucket {
  return FIRST_DEVICE_BUCKET + (authenticate(key, `device ${name}`).readUInt32BE() >>> DEVICE_SHIFT);
}

/**
 * The bucket of a proof without a username, by what it names. The maker of a proof chooses that, and their own good sign-ins
 * empty its bucket: so it must never be a username's.
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

/** Reads what {@link COUNTED_ATTEMPT} has decided: without a count the bucket is blocked. */
export async function admissionOf(
  database: Database,
  { bucket, now }: CountedAttempt,
  failures: number | null | undefined,
): Promise<Admission> {
  const isAdmitted = typeof failures === "number";
  return { blockedUntil: isAdmitted ? undefined : await findBlockEnd(database, bucket, now) };
}

const FORGET = `DELETE FROM sandbox_sign_in_failure WHERE bucket = $1 AND NOT ${isPsuBlocked("$2")}`;

/** Forgets the failures of a bucket, because its PSU was right; keeps them for a PSU whom the bank has blocked. */
export async function forgetFailures(database: Database, bucket: Bucket, psu: PsuId): Promise<void> {
  await database.run({ name: "sandbox-sign-in-forget-bucket", text: FORGET, values: [bucket, psu] });
}

/** A block that a good sign-in lifted meanwhile counts as ending now. */
async function findBlockEnd(database: Database, bucket: Bucket, now: Date): Promise<Date> {
  const [row] = await database.run<{ blocked_until: Date | null }>({
    name: "sandbox-sign-in-block-end",
    text: "SELECT blocked_until FROM sandbox_sign_in_failure WHERE bucket = $1",
    values: [bucket],
  });
  return row?.blocked_until ?? now;
}
