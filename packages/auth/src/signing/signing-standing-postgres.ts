import type { PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { SigningStanding } from "./signing-standing.ts";

interface StandingRow {
  readonly codes: number;
  readonly codes_since: Date | null;
  readonly failures: number;
  readonly held_off_until: Date | null;
}

// The upsert locks the row, even one that did not exist.
const LOCK = `INSERT INTO signing_standing AS known (psu_id) VALUES ($1)
  ON CONFLICT (psu_id) DO UPDATE SET codes = known.codes
  RETURNING codes, codes_since, failures, held_off_until`;
const FIND = "SELECT codes, codes_since, failures, held_off_until FROM signing_standing WHERE psu_id = $1";
const WRITE = `UPDATE signing_standing SET codes = $2, codes_since = $3, failures = $4, held_off_until = $5,
    changed_at = now()
  WHERE psu_id = $1`;

/** Locks and reads the standing of a PSU until the end of the transaction. */
export async function lockStanding(queries: Queries, psu: PsuId): Promise<SigningStanding> {
  const [row] = await queries.run<StandingRow>({ name: "signing-standing-lock", text: LOCK, values: [psu] });
  if (row === undefined) throw new Error("a standing was not written");
  return readStanding(row);
}

/** Reads the standing of a PSU for display, without a lock; undefined when nothing was counted. */
export async function findStanding(queries: Queries, psu: PsuId): Promise<SigningStanding | undefined> {
  const [row] = await queries.run<StandingRow>({ name: "signing-standing-find", text: FIND, values: [psu] });
  return row && readStanding(row);
}

function readStanding(row: StandingRow): SigningStanding {
  return {
    codes: row.codes,
    codesSince: row.codes_since ?? undefined,
    failures: row.failures,
    heldOffUntil: row.held_off_until ?? undefined,
  };
}

/** Writes a standing that the same transaction has locked. */
export async function writeStanding(queries: Queries, psu: PsuId, standing: SigningStanding): Promise<void> {
  const { codes, codesSince = null, failures, heldOffUntil = null } = standing;
  const values = [psu, codes, codesSince, failures, heldOffUntil];
  await queries.run({ name: "signing-standing-write", text: WRITE, values });
}
