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

// Who blocks waits for those who are storing a consent of the PSU, and whoever comes to that later waits for the block.
const TAKE_TURN = `SELECT pg_advisory_xact_lock(${blockKeyOf("$1")})`;
const HOLD_OFF = `SELECT pg_advisory_xact_lock_shared(${blockKeyOf("$1")})`;

const BLOCK = `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (psu_id) WHERE released_at IS NULL DO NOTHING RETURNING ${COLUMNS}`;
const FIND = `SELECT ${COLUMNS} FROM psu_block WHERE psu_id = $1 AND released_at IS NULL`;
const RELEASE = `UPDATE psu_block SET released_by = $2, released_at = greatest($3::timestamptz, blocked_at)
  WHERE psu_id = $1 AND released_at IS NULL RETURNING ${COLUMNS}`;

/** Whether a PSU is blocked at this moment, as a condition of a statement of somebody else; `psu` is the place of the value. */
export function isPsuBlocked(psu: `$${number}`): string {
  return `EXISTS (SELECT FROM psu_block WHERE psu_id = ${psu} AND released_at IS NULL)`;
}

/** Which blocks of a PSU outdate a sign-in, as such a condition: one that lasts, or was released since. `hold_for_consent` has it too. */
export function blockOutdates(psu: string, authenticatedAt: string): string {
  return `psu_id = ${psu} AND (released_at IS NULL OR released_at >= ${authenticatedAt})`;
}

// Each by itself, so that a plan that was made while the table was small goes by the index when it has grown.
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

/** What is locked, exclusively to block a PSU and shared to store something of theirs; `psu` is the place of the value. */
export function blockKeyOf(psu: `$${number}`): string {
  return `hashtextextended('psu block ' || ${psu}::text, 0)`;
}

/**
 * The same as `PsuBlocks.admits` inside a transaction that stores something of the PSU, as its first step: until its end
 * nobody blocks the PSU, and a block from then on sees what was stored.
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
    if (found === undefined) throw new TypeError("a block was released by somebody who had no turn");
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

/** Keeps blocks of PSUs in PostgreSQL; the clock is the one that says when a PSU has signed in. */
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
