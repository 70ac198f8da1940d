import type { KeyObject } from "node:crypto";
import { type Database, DatabaseUnsuitable, type Queries, Secret, type Statement } from "@cobs/service-edge";
import type { Act, OperatorAct } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { deriveKey, seal, unseal } from "../sealing/sealing.ts";
import { type KeyStore, MAX_LISTED_KEYS } from "./key-store.ts";
import { makeKey } from "./make-key.ts";
import { KEY_ROTATION, recordKey } from "./record-keys.ts";
import {
  isSuccessorDue,
  KEY_USES,
  type KeyFacts,
  type KeyState,
  type KeyTimes,
  type KeyUse,
  type MadeKey,
  type ServerKey,
  stateAt,
  type TermsOfKeys,
} from "./server-key.ts";

/** The key that seals secrets, and how long keys stay in each state. */
export interface KeyStoreSettings {
  readonly sealingKey: KeyObject;
  readonly terms: TermsOfKeys;
}

interface KeyRow {
  readonly kid: string;
  readonly use: KeyUse;
  readonly announced_at: Date;
  readonly signs_from: Date;
  readonly retires_at: Date | null;
  readonly ends_at: Date | null;
  readonly made_by: string | null;
  readonly dropped_by: string | null;
  readonly read_at: Date;
  readonly is_destroyed: boolean;
}

type SealedRow = KeyRow & { readonly sealed_secret: Buffer };

// The start of the statement, not of the transaction, which may have waited for its turn.
const COLUMNS = `kid, use, announced_at, signs_from, retires_at, ends_at, made_by, dropped_by,
  statement_timestamp() AS read_at, sealed_secret IS NULL AS is_destroyed`;

const IN_USE = `SELECT ${COLUMNS}, sealed_secret FROM server_key
  WHERE sealed_secret IS NOT NULL AND (ends_at IS NULL OR ends_at > statement_timestamp())
  ORDER BY signs_from DESC`;
const LIST = `SELECT ${COLUMNS} FROM server_key ORDER BY announced_at DESC, kid LIMIT ${MAX_LISTED_KEYS}`;
const OF_USE = `SELECT ${COLUMNS} FROM server_key WHERE use = $1`;
const FIND_USE = "SELECT use FROM server_key WHERE kid = $1";
const TURN = "SELECT use FROM server_key_use WHERE use = $1 FOR UPDATE";
const NOW = "SELECT statement_timestamp() AS now";
const ADD = `INSERT INTO server_key
    (kid, use, sealed_secret, announced_at, signs_from, retires_at, ends_at, made_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`;
const FOLLOW = "UPDATE server_key SET retires_at = $2, ends_at = $3 WHERE use = $1 AND retires_at IS NULL";
const KEEP_SIGNING = "UPDATE server_key SET retires_at = NULL, ends_at = NULL WHERE kid = $1";
const SIGN_NOW =
  "UPDATE server_key SET signs_from = $2 WHERE use = $1 AND signs_from > $2 AND ends_at IS NULL";
const DROP = `UPDATE server_key SET sealed_secret = NULL, retires_at = least(retires_at, $2), ends_at = $2,
  dropped_by = $3 WHERE kid = $1 RETURNING ${COLUMNS}`;

const ORDER: readonly KeyState[] = ["signing", "announced", "retired", "gone"];

const later = (moment: Date, seconds: number) => new Date(moment.getTime() + seconds * 1000);
const operatorOf = ({ actor }: Act) => (actor.kind === "operator" ? actor.name : undefined);
const ownerOf = ({ use, kid }: Pick<KeyFacts, "use" | "kid">) => `${use} ${kid}`;

function readFacts(row: KeyRow, now: Date): KeyFacts {
  const times = {
    signsFrom: row.signs_from,
    retiresAt: row.retires_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
  };
  return {
    kid: row.kid,
    use: row.use,
    // A destroyed key is gone whatever the clock says, which may have been set back.
    state: row.is_destroyed ? "gone" : stateAt(now, times),
    announcedAt: row.announced_at,
    ...times,
    madeBy: row.made_by ?? undefined,
    droppedBy: row.dropped_by ?? undefined,
  };
}

function readKey(row: SealedRow, sealingKey: KeyObject): ServerKey {
  try {
    const secret = Buffer.from(unseal(sealingKey, row.sealed_secret, ownerOf(row))).toString("utf8");
    return { ...readFacts(row, row.read_at), secret: new Secret(secret) };
  } catch {
    throw new DatabaseUnsuitable(
      "sealed_otherwise",
      `the sealing key (SEALING_KEY_FILE) does not open the ${row.use} key ${row.kid} in the database`,
    );
  }
}

/** The keys of one use, locked until the end of the transaction. */
interface Turn {
  readonly queries: Queries;
  readonly use: KeyUse;
  readonly now: Date;
  readonly keys: readonly KeyFacts[];
}

async function takeTurn(queries: Queries, use: KeyUse): Promise<Turn> {
  await queries.run({ name: "key-turn", text: TURN, values: [use] });
  const [moment] = await queries.run<{ readonly now: Date }>({ name: "key-now", text: NOW, values: [] });
  if (moment === undefined) throw new TypeError("the database returned no time");
  const { now } = moment;
  const rows = await queries.run<KeyRow>({ name: "key-of-use", text: OF_USE, values: [use] });
  // All decisions use this one time: by a later one, a key announced at an earlier one could already sign.
  return { queries, use, now, keys: rows.map((row) => readFacts(row, now)) };
}

/** Writes keys under a sealing key, by the terms of their use. */
function createWriter({ sealingKey, terms }: KeyStoreSettings) {
  interface NewKey extends KeyTimes, MadeKey {
    readonly act: Act;
  }

  async function add({ queries, use, now }: Turn, key: NewKey): Promise<KeyFacts> {
    const sealed = seal(sealingKey, Buffer.from(key.secret.reveal()), ownerOf({ use, kid: key.kid }));
    const times = [now, key.signsFrom, key.retiresAt, key.endsAt];
    const values = [key.kid, use, sealed, ...times, operatorOf(key.act)];
    const [row] = await queries.run<KeyRow>({ name: "key-add", text: ADD, values });
    if (row === undefined) throw new TypeError("an added key was not found");
    const facts = readFacts(row, now);
    await appendAudit(queries, [recordKey(key.act, "key.announced", facts)]);
    return facts;
  }

  return {
    addFirst: (turn: Turn, key: MadeKey) =>
      add(turn, { ...key, signsFrom: turn.now, retiresAt: undefined, endsAt: undefined, act: KEY_ROTATION }),
    addRetired: (turn: Turn, key: MadeKey) => {
      const endsAt = later(turn.now, terms[turn.use].retiredSeconds);
      return add(turn, { ...key, signsFrom: turn.now, retiresAt: turn.now, endsAt, act: KEY_ROTATION });
    },
    /** Adds a key that takes over from the signing one after `afterSeconds`. */
    async addNext(turn: Turn, afterSeconds: number, act: Act): Promise<KeyFacts> {
      const { queries, use, now } = turn;
      const signsFrom = later(now, afterSeconds);
      const values = [use, signsFrom, later(signsFrom, terms[use].retiredSeconds)];
      await queries.run({ name: "key-follow", text: FOLLOW, values });
      return add(turn, { ...makeKey(use), signsFrom, retiresAt: undefined, endsAt: undefined, act });
    },
  };
}

/** Finds the key that has no successor. Without one, the database has no signing key, or soon will not. */
const findLast = ({ keys }: Pick<Turn, "keys">) => keys.find(({ retiresAt }) => retiresAt === undefined);

const isAnnounced = ({ state }: KeyFacts) => state === "announced";

/** Ensures, after a key was dropped, that exactly one key signs and has no successor. */
async function replace(turn: Turn, dropped: KeyFacts, addNow: () => Promise<unknown>): Promise<void> {
  const { queries, use, now } = turn;
  const keys = turn.keys.filter(({ kid, state }) => kid !== dropped.kid && state !== "gone");
  if (dropped.state === "signing" && keys.some(isAnnounced))
    await queries.run({ name: "key-sign-now", text: SIGN_NOW, values: [use, now] });
  else if (findLast({ keys }) === undefined) {
    // After the clock was set back there may be several such keys, or none.
    const [latest] = keys
      .filter(({ retiresAt }) => retiresAt !== undefined && retiresAt > now)
      .toSorted((one, other) => other.signsFrom.getTime() - one.signsFrom.getTime());
    if (latest === undefined) await addNow();
    else await queries.run({ name: "key-keep-signing", text: KEEP_SIGNING, values: [latest.kid] });
  }
}

/** Keeps keys in PostgreSQL, each secret sealed to its key's use and id. */
export function createKeyStore(database: Database, settings: KeyStoreSettings): KeyStore {
  const sealingKey = deriveKey(settings.sealingKey, "server-keys");
  const { terms } = settings;
  const write = createWriter({ sealingKey, terms });
  const inTurn = <T>(use: KeyUse, act: (turn: Turn) => Promise<T>) =>
    database.transaction(async (queries) => act(await takeTurn(queries, use)));

  async function drop(queries: Queries, kid: string, act: OperatorAct): Promise<KeyFacts | undefined> {
    const [found] = await queries.run<{ readonly use: KeyUse }>({
      name: "key-find-use",
      text: FIND_USE,
      values: [kid],
    });
    if (found === undefined) return undefined;
    const turn = await takeTurn(queries, found.use);
    const key = turn.keys.find((each) => each.kid === kid);
    if (key === undefined || key.state === "gone") return undefined;
    const values = [kid, turn.now, act.actor.name];
    const [row] = await queries.run<KeyRow>({ name: "key-drop", text: DROP, values });
    await appendAudit(queries, [recordKey(act, "key.dropped", key)]);
    await replace(turn, key, () => write.addNext(turn, 0, act));
    await appendEvents(queries, key.use === "signing" ? [{ kind: "signing_key_dropped", key: kid }] : []);
    return row && readFacts(row, turn.now);
  }

  return {
    begin: (use, imported) =>
      inTurn(use, async (turn) => {
        if (turn.keys.length > 0) {
          if (findLast(turn) === undefined) await write.addNext(turn, 0, KEY_ROTATION);
          return;
        }
        const [first = makeKey(use), ...others] = imported;
        await write.addFirst(turn, first);
        for (const other of others) await write.addRetired(turn, other);
      }),
    async inUse() {
      const rows = await database.run<SealedRow>({ name: "key-in-use", text: IN_USE, values: [] });
      const keys = rows.map((row) => readKey(row, sealingKey));
      const isDue = (use: KeyUse) => {
        const last = rows.find((row) => row.use === use && row.retires_at === null);
        return last === undefined || isSuccessorDue(last.read_at, readFacts(last, last.read_at), terms[use]);
      };
      return {
        keys: keys.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state)),
        due: KEY_USES.filter(isDue),
      };
    },
    list: async () =>
      (await database.run<KeyRow>({ name: "key-list", text: LIST, values: [] })).map((row) =>
        readFacts(row, row.read_at),
      ),
    announce: (use, act) =>
      inTurn(use, async (turn) =>
        turn.keys.some(isAnnounced) ? undefined : write.addNext(turn, terms[use].announcedSeconds, act),
      ),
    announceDue: (use) =>
      inTurn(use, async (turn) => {
        if (turn.keys.length === 0) return undefined;
        const last = findLast(turn);
        if (last === undefined) return write.addNext(turn, 0, KEY_ROTATION);
        return isSuccessorDue(turn.now, last, terms[use])
          ? write.addNext(turn, terms[use].announcedSeconds, KEY_ROTATION)
          : undefined;
      }),
    drop: (kid, act) => database.transaction((queries) => drop(queries, kid, act)),
  };
}

/** Deletes the secrets of keys that are gone, and records their destruction. */
export const DESTROY_ENDED_KEYS: Statement = {
  name: "key-destroy",
  text: `WITH destroyed AS (UPDATE server_key SET sealed_secret = NULL
      WHERE ends_at <= now() AND sealed_secret IS NOT NULL RETURNING kid, use)
    INSERT INTO audit_entry (actor_kind, actor, action, subject_kind, subject, details)
    SELECT 'server', 'key rotation', 'key.retired', 'key', kid, format('{"use":"%s"}', use) FROM destroyed
    RETURNING 1`,
  values: [],
};
