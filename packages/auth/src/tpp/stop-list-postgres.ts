import {
  type Database,
  gatherLookups,
  inPlaces,
  type PlacedRow,
  type Queries,
  type Statement,
} from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { appendEvents, takeTurnAtFeed } from "../feed/append-events-postgres.ts";
import type { FeedEvent } from "../feed/feed-event.ts";
import { takeTurnAtOrders } from "../signing/block-turns-postgres.ts";
import { type EndedSignings, endSignings } from "../signing/end-signings-postgres.ts";
import {
  type Block,
  type BlockableParty,
  type BlockedKeys,
  type Blocker,
  type BlockOutcome,
  MAX_ACTIVE_BLOCKS,
  type NewBlock,
  type Release,
  type StopList,
  type StopListKey,
} from "./stop-list.ts";

type BlockRow = StopListKey & {
  readonly id: bigint;
  readonly origin: Block["origin"];
  readonly reason: string;
  readonly blocked_by: string;
  readonly blocked_at: Date;
  readonly released_by: string | null;
  readonly released_at: Date | null;
};

const COLUMNS = "id, kind, key, origin, reason, blocked_by, blocked_at, released_by, released_at";
const OF_ORIGIN = "key = $1 AND kind = $2 AND origin = $3 AND released_at IS NULL";

/**
 * SQL that judges the columns of `asked`, which hold what a request shows, and gives what is blocked as `judged.blocked`.
 * LATERAL, so that a plan made while the list was short still uses the keys when it has grown.
 */
export const BLOCKED_OF_ASKED = `LATERAL (SELECT max(block.kind) AS blocked FROM stop_list_block AS block
    WHERE block.key IN (asked.organisation, asked.certificate, asked.twin) AND block.released_at IS NULL
      AND block.kind = CASE block.key WHEN asked.organisation THEN 'organisation' ELSE 'certificate' END) AS judged`;

const FIND_BLOCKED = `SELECT asked.place::int, judged.blocked
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (organisation, certificate, twin, place)
  CROSS JOIN ${BLOCKED_OF_ASKED}
  WHERE judged.blocked IS NOT NULL`;

/**
 * Builds the condition, for another module's statement, under which a row blocks a TPP or certificate now; `key` is the
 * expression to compare with.
 */
export function blocksNow(kind: StopListKey["kind"], key: string): string {
  return `key = ${key} AND kind = '${kind}' AND released_at IS NULL`;
}

/** Builds the condition that a TPP is blocked now, from an expression for its identifier. */
export function isTppBlocked(organisation: string): string {
  return `EXISTS (SELECT FROM stop_list_block WHERE ${blocksNow("organisation", organisation)})`;
}

/** Builds the condition that a TPP or its certificate is blocked now, for a statement about a single TPP. */
export function isBlockedNow(organisation: string, certificate: string): string {
  return `EXISTS (SELECT FROM stop_list_block AS block
    WHERE block.key IN (${organisation}, ${certificate}) AND block.released_at IS NULL
      AND block.kind = CASE block.key WHEN ${organisation} THEN 'organisation' ELSE 'certificate' END)`;
}

// Orders to block wait for each other only when the list is nearly full, so that its limit is exact. No TPP's request waits for
// them.
const RESERVE = 1_000;
const LOCK = "LOCK TABLE stop_list_block IN SHARE ROW EXCLUSIVE MODE";

const BLOCK = `INSERT INTO stop_list_block (key, kind, origin, reason, blocked_by)
  SELECT $1::text, $2::text, $3::text, $4::text, $5::text
  WHERE (SELECT count(*) FROM stop_list_block WHERE released_at IS NULL) < $6::integer
  ON CONFLICT (key, kind, origin) WHERE released_at IS NULL DO NOTHING RETURNING ${COLUMNS}`;

const FIND = `SELECT ${COLUMNS} FROM stop_list_block WHERE ${OF_ORIGIN}`;
const RELEASE = `UPDATE stop_list_block SET released_by = $4, released_at = clock_timestamp()
  WHERE ${OF_ORIGIN} RETURNING ${COLUMNS}`;
const ACTIVE = `SELECT ${COLUMNS} FROM stop_list_block WHERE released_at IS NULL AND id > $1 ORDER BY id LIMIT $2`;
const ACTIVE_OF_REGISTER = `SELECT ${COLUMNS} FROM stop_list_block
  WHERE released_at IS NULL AND origin = 'register' ORDER BY id`;
const IS_BLOCKED =
  "SELECT id FROM stop_list_block WHERE key = $1 AND kind = $2 AND released_at IS NULL LIMIT 1";
// One statement, so that the list and the feed position are of the same moment.
const BLOCKED_KEYS = `SELECT feed_head.pos, newest.mark, block.kind, block.key FROM feed_head
  LEFT JOIN feed_event AS newest ON newest.pos = feed_head.pos LEFT JOIN (
    SELECT DISTINCT kind, key FROM stop_list_block WHERE released_at IS NULL
  ) AS block ON true`;
const HISTORY = `SELECT ${COLUMNS} FROM stop_list_block WHERE id < $1 ORDER BY id DESC LIMIT $2`;
/** Before the first id, and after the last. */
const [FIRST, LAST] = [0, Number.MAX_SAFE_INTEGER];

const NO_CERTIFICATE = "";

/** Names a party uniquely; a thumbprint has no space, so that no two parties share a name. */
export function nameOfParty(party: BlockableParty): string {
  const { organisationIdentifier, thumbprint = NO_CERTIFICATE, twinThumbprint = NO_CERTIFICATE } = party;
  return `${organisationIdentifier} ${thumbprint} ${twinThumbprint}`;
}

/** Builds the columns `organisation`, `certificate` and `twin` of {@link BLOCKED_OF_ASKED}, as lists. */
export function partyValues(asked: readonly BlockableParty[]): readonly string[][] {
  return [
    asked.map(({ organisationIdentifier }) => organisationIdentifier),
    asked.map(({ thumbprint = NO_CERTIFICATE }) => thumbprint),
    asked.map(({ twinThumbprint = NO_CERTIFICATE }) => twinThumbprint),
  ];
}

const originOf = (by: Blocker): Block["origin"] => (by === "register" ? "register" : "operator");
const nameOf = (by: Blocker): string => (by === "register" ? by : by.actor.name);
/** Takes only the key of a row. The branches look the same, but in each the compiler knows the kind of the key. */
const keyOf = (row: StopListKey): StopListKey =>
  row.kind === "organisation" ? { kind: row.kind, key: row.key } : { kind: row.kind, key: row.key };

function readBlock(row: BlockRow): Block {
  const { released_by: by, released_at: at } = row;
  return {
    id: Number(row.id),
    ...keyOf(row),
    origin: row.origin,
    reason: row.reason,
    blockedBy: row.blocked_by,
    blockedAt: row.blocked_at,
    released: by === null || at === null ? undefined : { by, at },
  };
}

const REGISTER: Act = { actor: { kind: "server", part: "TPP register" }, requestId: undefined };

function record(
  queries: Queries,
  { kind, key, by }: Release,
  [change, reason]: readonly ["blocked" | "released", string],
): Promise<void> {
  const subject = { kind: kind === "organisation" ? "tpp" : kind, id: key } as const;
  const act = by === "register" ? REGISTER : by;
  return appendAudit(queries, [{ act, action: `${subject.kind}.${change}`, subject, details: { reason } }]);
}

const changeOf = ({ kind, key }: StopListKey, change: "blocked" | "released"): FeedEvent => ({
  kind: `${kind === "organisation" ? "tpp" : kind}_${change}`,
  key,
});

async function findActive(queries: Queries, { key, kind, by }: Release): Promise<Block | undefined> {
  const values = [key, kind, originOf(by)];
  const [row] = await queries.run<BlockRow>({ name: "stop-list-find", text: FIND, values });
  return row && readBlock(row);
}

async function blockBelow(queries: Queries, block: NewBlock, limit: number): Promise<BlockOutcome> {
  const { key, kind, by, reason } = block;
  const values = [key, kind, originOf(by), reason, nameOf(by), limit];
  const [added] = await queries.run<BlockRow>({ name: "stop-list-block", text: BLOCK, values });
  if (added !== undefined) {
    await record(queries, block, ["blocked", reason]);
    const signings: EndedSignings =
      kind === "organisation" ? { of: "tpp", organisationIdentifier: key } : { of: kind, thumbprint: key };
    await endSignings(queries, signings, by === "register" ? REGISTER : by);
    await appendEvents(queries, [changeOf(block, "blocked")]);
    return { result: "blocked", block: readBlock(added) };
  }
  const found = await findActive(queries, block);
  return found === undefined ? { result: "list_full" } : { result: "already_blocked", block: found };
}

async function blockOn(database: Database, block: NewBlock): Promise<BlockOutcome> {
  const outcome = await database.transaction(async (queries) => {
    await takeTurnAtOrders(queries, block.key);
    return blockBelow(queries, block, MAX_ACTIVE_BLOCKS - RESERVE);
  });
  if (outcome.result !== "list_full") return outcome;
  return database.transaction(async (queries) => {
    await takeTurnAtOrders(queries, block.key);
    await queries.run({ name: "stop-list-lock", text: LOCK, values: [] });
    return blockBelow(queries, block, MAX_ACTIVE_BLOCKS);
  });
}

/**
 * Releases a block. The key is free when no other origin blocks it; only in its turn at the feed does a transaction see all
 * blocks before it.
 */
async function releaseIn(queries: Queries, release: Release): Promise<Block | undefined> {
  const { kind, key, by } = release;
  const values = [key, kind, originOf(by), nameOf(by)];
  const [row] = await queries.run<BlockRow>({ name: "stop-list-release", text: RELEASE, values });
  if (row === undefined) return undefined;
  await record(queries, release, ["released", row.reason]);
  await takeTurnAtFeed(queries);
  const isBlocked = { name: "stop-list-is-blocked", text: IS_BLOCKED, values: [key, kind] };
  const stillBlocked = (await queries.run(isBlocked)).length > 0;
  await appendEvents(queries, stillBlocked ? [] : [changeOf(keyOf(row), "released")]);
  return readBlock(row);
}

type BlockedRow = { readonly pos: bigint; readonly mark: string | null } & (
  | StopListKey
  | { readonly kind: null; readonly key: null }
);

function readBlockedKeys(rows: readonly BlockedRow[]): BlockedKeys {
  const keys = rows.flatMap((row) => (row.kind === null ? [] : [keyOf(row)]));
  return { position: Number(rows[0]?.pos ?? 0n), mark: rows[0]?.mark ?? undefined, keys };
}

/** Keeps the stop list in PostgreSQL. */
export function createStopList(database: Database): StopList {
  const list = async (statement: Statement) => (await database.run<BlockRow>(statement)).map(readBlock);
  return {
    findBlocked: gatherLookups(nameOfParty, async (asked: readonly BlockableParty[]) => {
      const statement = { name: "stop-list-find-blocked", text: FIND_BLOCKED, values: partyValues(asked) };
      const rows = await database.run<PlacedRow & { readonly blocked: StopListKey["kind"] }>(statement);
      return inPlaces(rows, asked.length).map((row) => row?.blocked);
    }),
    block: (block) => blockOn(database, block),
    release: (release) => database.transaction((queries) => releaseIn(queries, release)),
    blockedKeys: async () =>
      readBlockedKeys(await database.run({ name: "stop-list-keys", text: BLOCKED_KEYS, values: [] })),
    findActive: (which) => findActive(database, which),
    activeOfRegister: () => list({ name: "stop-list-register", text: ACTIVE_OF_REGISTER, values: [] }),
    active: ({ after = FIRST, limit }) =>
      list({ name: "stop-list-active", text: ACTIVE, values: [after, limit] }),
    history: ({ after = LAST, limit }) =>
      list({ name: "stop-list-history", text: HISTORY, values: [after, limit] }),
  };
}
