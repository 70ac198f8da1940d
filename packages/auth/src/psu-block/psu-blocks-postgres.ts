import type { PsuId } from "@cobs/cobs-model";
import {
  type Clock,
  type Database,
  gather,
  inPlaces,
  type PlacedRow,
  type Queries,
} from "@cobs/service-edge";
import type { OperatorAct } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { endCardConsentsOfPsu, recordCardConsentEnded } from "../card-consent/end-card-consents-postgres.ts";
import { endConsentsOfPsu } from "../consent/end-consents-postgres.ts";
import { isEndedByAct, recordEndedByAct } from "../consent/record-consents.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { endSignings } from "../signing/end-signings-postgres.ts";
import type { AuthenticatedPsu, NewPsuBlock, PsuBlock, PsuBlockOutcome, PsuBlocks } from "./psu-blocks.ts";

interface BlockRow {
  readonly psu_id: PsuId;
  readonly reason: string;
  readonly blocked_by: string;
  readonly blocked_at: Date;
  readonly released_by: string | null;
  readonly released_at: Date | null;
}

const COLUMNS = "psu_id, reason, blocked_by, blocked_at, released_by, released_at";

// Blocking waits for transactions that are storing a consent of the PSU; later ones wait for the block.
const TAKE_TURN = `SELECT pg_advisory_xact_lock(${blockKeyOf("$1")})`;
const HOLD_OFF = `SELECT pg_advisory_xact_lock_shared(${blockKeyOf("$1")})`;

const BLOCK = `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (psu_id) WHERE released_at IS NULL DO NOTHING RETURNING ${COLUMNS}`;
const FIND = `SELECT ${COLUMNS} FROM psu_block WHERE psu_id = $1 AND released_at IS NULL`;
const RELEASE = `UPDATE psu_block SET released_by = $2, released_at = greatest($3::timestamptz, blocked_at)
  WHERE psu_id = $1 AND released_at IS NULL RETURNING ${COLUMNS}`;

/** Condition for another statement: whether a PSU is blocked at this moment; `psu` is the placeholder of the value. */
export function isPsuBlocked(psu: `$${number}`): string {
  return `EXISTS (SELECT FROM psu_block WHERE psu_id = ${psu} AND released_at IS NULL)`;
}

/** Condition for the blocks of a PSU that outdate a sign-in: in force now, or released since. `hold_for_consent` has it too. */
export function blockOutdates(psu: string, authenticatedAt: string): string {
  return `psu_id = ${psu} AND (released_at IS NULL OR released_at >= ${authenticatedAt})`;
}

// One lookup per PSU, so that a plan made while the table was small still uses the index when it has grown.
const OUTDATES = `SELECT place::int
  FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS asked (asked_id, authenticated_at, place)
  CROSS JOIN LATERAL (SELECT FROM psu_block
    WHERE ${blockOutdates("asked_id", "authenticated_at")} LIMIT 1) AS block`;
const HISTORY = `SELECT ${COLUMNS} FROM psu_block WHERE psu_id = $1 ORDER BY id DESC LIMIT 100`;

function readBlock(row: BlockRow): PsuBlock {
  const { released_by: by, released_at: at } = row;
  return {
    psu: row.psu_id,
    reason: row.reason,
    blockedBy: row.blocked_by,
    blockedAt: row.blocked_at,
    released: by === null || at === null ? undefined : { by, at },
  };
}

async function admitsAll(queries: Queries, asked: readonly AuthenticatedPsu[]): Promise<readonly boolean[]> {
  const values = [asked.map(({ psu }) => psu), asked.map(({ authenticatedAt }) => authenticatedAt)];
  const rows = await queries.run<PlacedRow>({ name: "psu-block-outdates", text: OUTDATES, values });
  return inPlaces(rows, asked.length).map((row) => row === undefined);
}

/** The key of the lock: exclusive to block a PSU, shared to store something of theirs. `psu` is the placeholder of the value. */
export function blockKeyOf(psu: `$${number}`): string {
  return `hashtextextended('psu block ' || ${psu}::text, 0)`;
}

/**
 * Does what `PsuBlocks.admits` does, as the first step of a transaction that stores something of the PSU. Until the transaction
 * ends nobody can block the PSU, and a later block sees what was stored.
 */
export async function admitsWhileStoring(
  queries: Queries,
  authenticated: AuthenticatedPsu,
): Promise<boolean> {
  await queries.run({ name: "psu-block-hold-off", text: HOLD_OFF, values: [authenticated.psu] });
  const [admitted] = await admitsAll(queries, [authenticated]);
  return admitted === true;
}

interface BlockedMoment {
  readonly act: OperatorAct;
  readonly now: Date;
}

async function blockIn(
  queries: Queries,
  { psu, reason }: NewPsuBlock,
  { act: ordered, now }: BlockedMoment,
): Promise<PsuBlockOutcome> {
  const act = { ...ordered, note: reason };
  await queries.run({ name: "psu-block-turn", text: TAKE_TURN, values: [psu] });
  const values = [psu, reason, act.actor.name, now];
  const [added] = await queries.run<BlockRow>({ name: "psu-block-add", text: BLOCK, values });
  if (added === undefined) {
    const [found] = await queries.run<BlockRow>({ name: "psu-block-find", text: FIND, values: [psu] });
    if (found === undefined) throw new TypeError("a block was neither added nor found");
    return { result: "already_blocked", block: readBlock(found) };
  }
  const ending = { by: "bank", reason: "psu_blocked", act } as const;
  const ended = await endConsentsOfPsu(queries, psu, ending);
  const endedCards = await endCardConsentsOfPsu(queries, psu, ending);
  const endedConsents = ended.filter(isEndedByAct).length + endedCards.length;
  const subject = { kind: "psu", id: psu } as const;
  await appendAudit(queries, [
    { act, action: "psu.blocked", subject, details: { endedConsents } },
    ...recordEndedByAct(ending, ended),
    ...endedCards.map((each) => recordCardConsentEnded(ending, each)),
  ]);
  await endSignings(queries, { of: "psu", psu }, act);
  await appendEvents(queries, [{ kind: "psu_blocked", key: psu }]);
  return { result: "blocked", block: readBlock(added), endedConsents };
}

async function releaseIn(queries: Queries, psu: PsuId, moment: BlockedMoment): Promise<PsuBlock | undefined> {
  const { act, now } = moment;
  await queries.run({ name: "psu-block-turn", text: TAKE_TURN, values: [psu] });
  const values = [psu, act.actor.name, now];
  const [released] = await queries.run<BlockRow>({ name: "psu-block-release", text: RELEASE, values });
  if (released === undefined) return undefined;
  await appendAudit(queries, [{ act, action: "psu.released", subject: { kind: "psu", id: psu } }]);
  return readBlock(released);
}

/** Keeps blocks of PSUs in PostgreSQL; the clock must be the one that times sign-ins. */
export function createPsuBlocks(database: Database, clock: Clock): PsuBlocks {
  return {
    block: (order, act) =>
      database.transaction((queries) => blockIn(queries, order, { act, now: clock.now() })),
    release: (psu, act) =>
      database.transaction((queries) => releaseIn(queries, psu, { act, now: clock.now() })),
    admits: gather((asked: readonly AuthenticatedPsu[]) => admitsAll(database, asked)),
    history: async (psu) =>
      (await database.run<BlockRow>({ name: "psu-block-history", text: HISTORY, values: [psu] })).map(
        readBlock,
      ),
  };
}
