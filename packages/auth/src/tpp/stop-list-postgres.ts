import type { Database, Queries } from "@cobs/service-edge";
import {
  type Block,
  type Blocker,
  type BlockOutcome,
  MAX_ACTIVE_BLOCKS,
  type NewBlock,
  type StopList,
  type StopListKey,
} from "./stop-list.ts";

type BlockRow = StopListKey & {
  readonly origin: Block["origin"];
  readonly reason: string;
  readonly blocked_by: string;
  readonly blocked_at: Date;
  readonly released_by: string | null;
  readonly released_at: Date | null;
};

const COLUMNS = "kind, key, origin, reason, blocked_by, blocked_at, released_by, released_at";
const OF_ORIGIN = "key = $1 AND kind = $2 AND origin = $3 AND released_at IS NULL";

const FIND_BLOCKED = `SELECT kind FROM stop_list_block
  WHERE key IN ($1, $2) AND released_at IS NULL AND kind = CASE key WHEN $1 THEN 'organisation' ELSE 'certificate' END
  ORDER BY kind DESC LIMIT 1`;

// Only when the list is nearly full do orders wait for each other, so that its limit holds exactly. No call waits for them.
const RESERVE = 1_000;
const LOCK = "LOCK TABLE stop_list_block IN SHARE ROW EXCLUSIVE MODE";

const BLOCK = `INSERT INTO stop_list_block (key, kind, origin, reason, blocked_by)
  SELECT $1::text, $2::text, $3::text, $4::text, $5::text
  WHERE (SELECT count(*) FROM stop_list_block WHERE released_at IS NULL) < $6::integer
  ON CONFLICT (key, kind, origin) WHERE released_at IS NULL DO NOTHING RETURNING ${COLUMNS}`;

const FIND = `SELECT ${COLUMNS} FROM stop_list_block WHERE ${OF_ORIGIN}`;
const RELEASE = `UPDATE stop_list_block SET released_by = $4, released_at = clock_timestamp()
  WHERE ${OF_ORIGIN} RETURNING ${COLUMNS}`;
const ACTIVE = `SELECT ${COLUMNS} FROM stop_list_block WHERE released_at IS NULL ORDER BY id LIMIT ${MAX_ACTIVE_BLOCKS}`;
const HISTORY = `SELECT ${COLUMNS} FROM stop_list_block ORDER BY id DESC LIMIT $1`;

const NO_CERTIFICATE = "";

const originOf = (by: Blocker): Block["origin"] => (by === "register" ? "register" : "operator");
const nameOf = (by: Blocker): string => (by === "register" ? by : by.operator);
const keyOf = (row: StopListKey): StopListKey =>
  row.kind === "organisation" ? { kind: row.kind, key: row.key } : { kind: row.kind, key: row.key };

function readBlock(row: BlockRow): Block {
  const { released_by: by, released_at: at } = row;
  return {
    ...keyOf(row),
    origin: row.origin,
    reason: row.reason,
    blockedBy: row.blocked_by,
    blockedAt: row.blocked_at,
    released: by === null || at === null ? undefined : { by, at },
  };
}

async function blockBelow(queries: Queries, block: NewBlock, limit: number): Promise<BlockOutcome> {
  const which = [block.key, block.kind, originOf(block.by)];
  const values = [...which, block.reason, nameOf(block.by), limit];
  const [added] = await queries.run<BlockRow>({ name: "stop-list-block", text: BLOCK, values });
  if (added !== undefined) return { result: "blocked", block: readBlock(added) };
  const [found] = await queries.run<BlockRow>({ name: "stop-list-find", text: FIND, values: which });
  return found === undefined
    ? { result: "list_full" }
    : { result: "already_blocked", block: readBlock(found) };
}

async function blockOn(database: Database, block: NewBlock): Promise<BlockOutcome> {
  const outcome = await blockBelow(database, block, MAX_ACTIVE_BLOCKS - RESERVE);
  if (outcome.result !== "list_full") return outcome;
  return database.transaction(async (queries) => {
    await queries.run({ name: "stop-list-lock", text: LOCK, values: [] });
    return blockBelow(queries, block, MAX_ACTIVE_BLOCKS);
  });
}

/** Keeps the stop list in PostgreSQL. */
export function createStopList(database: Database): StopList {
  return {
    async findBlocked({ organisationIdentifier, thumbprint = NO_CERTIFICATE }) {
      const values = [organisationIdentifier, thumbprint];
      const statement = { name: "stop-list-find-blocked", text: FIND_BLOCKED, values };
      return (await database.run<Pick<StopListKey, "kind">>(statement))[0]?.kind;
    },
    block: (block) => blockOn(database, block),
    async release({ kind, key, by }) {
      const values = [key, kind, originOf(by), nameOf(by)];
      const [row] = await database.run<BlockRow>({ name: "stop-list-release", text: RELEASE, values });
      return row && readBlock(row);
    },
    active: async () =>
      (await database.run<BlockRow>({ name: "stop-list-active", text: ACTIVE, values: [] })).map(readBlock),
    history: async (limit) =>
      (await database.run<BlockRow>({ name: "stop-list-history", text: HISTORY, values: [limit] })).map(
        readBlock,
      ),
  };
}
