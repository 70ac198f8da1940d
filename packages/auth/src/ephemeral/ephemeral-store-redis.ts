import type { EphemeralStore, RecordKey, RecordTerms } from "./ephemeral-store.ts";
import { type FencedKey, type FencedRedis, fencedScript } from "./fenced-redis.ts";
import { hashRecordId } from "./hash-record-id.ts";
import { parseRecord, presentRecord, type RecordMarks } from "./marked-record.ts";

const PUT = fencedScript(
  "ephemeral-put",
  `if tonumber(ARGV[3]) > 0 then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) else redis.call('DEL', KEYS[2]) end
return {'ok'}`,
);

// The held record is compared as text, and returned when it differs: a caller that found it writes it exactly as it was written.
const PUT_IN_PLACE = fencedScript(
  "ephemeral-put-in-place",
  `local held = read(KEYS[2])
if held and held ~= ARGV[4] then return {'ok', held} end
if tonumber(ARGV[3]) > 0 then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
return {'ok', 1}`,
);

const FIND = fencedScript("ephemeral-find", "return {'ok', read(KEYS[2])}");

const TAKE = fencedScript(
  "ephemeral-take",
  `local record = read(KEYS[2])
redis.call('DEL', KEYS[2])
return {'ok', record}`,
);

const READ_CLOCK = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

// The set of living records of one name, each with its end by the server's clock.
const RESERVE = fencedScript(
  "ephemeral-reserve",
  `${READ_CLOCK}
if redis.call('TYPE', KEYS[2]).ok ~= 'zset' then redis.call('DEL', KEYS[2]) end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return {'ok', 0} end
if tonumber(ARGV[3]) > 0 then
  redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[2])
  if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[2], ARGV[3]) end
end
return {'ok', 1}`,
);

const WAIT_AMONG = fencedScript(
  "ephemeral-wait-among",
  `${READ_CLOCK}
if redis.call('TYPE', KEYS[2]).ok ~= 'zset' then return {'ok', 0} end
local first = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return {'ok', first[2] and first[2] - now or 0}`,
);

const RELEASE = fencedScript("ephemeral-release", "return {'ok', redis.call('ZREM', KEYS[2], ARGV[2])}");

/** Content of a record's key. */
interface Stored<Payload> {
  /** Hash of the second name that the record is found by. */
  readonly uid?: string;
  /** Hash of the name whose records it is counted among. */
  readonly among?: string;
  readonly payload: Payload;
}

type NewRecord<Payload> = Parameters<EphemeralStore<Payload>["put"]>;

const keyOf = ({ kind, id }: RecordKey): FencedKey => ({ kind, hash: hashRecordId(id) });
// No kind has a slash in its name.
const secondKey = (kind: string, uid: string): FencedKey => ({
  kind: `${kind}/uid`,
  hash: hashRecordId(uid),
});
const amongKey = (kind: string, hash: Buffer): FencedKey => ({ kind: `${kind}/among`, hash });

const encode = (hash: Buffer) => hash.toString("base64url");
const decode = (text: string) => Buffer.from(text, "base64url");
const millisecondsOf = ({ lifetimeSeconds }: Pick<RecordTerms, "lifetimeSeconds">) =>
  Math.round(lifetimeSeconds * 1000);

/**
 * Keeps sessions, interactions and pushed requests in Redis, each under one key that expires by itself. A second name is a
 * separate key that leads to the record; it is believed only when the record agrees, because the two may be on different nodes of
 * a Cluster. Everything belongs to one epoch. A record that somebody else wrote, or copied from another key, is not found: write
 * access to Redis signs nobody in.
 */
export function createEphemeralStoreInRedis<Payload extends object>(
  redis: FencedRedis,
  marks: RecordMarks,
): EphemeralStore<Payload> {
  const present = (key: FencedKey, stored: Stored<Payload>) => presentRecord(marks.key, key, stored);
  const parse = (key: FencedKey, reply: unknown) =>
    typeof reply === "string" ? parseRecord<Stored<Payload>>(marks, key, reply) : undefined;
  const findStored = async (key: FencedKey) => parse(key, await redis.run(FIND, key));

  function write(record: RecordKey, [stored, terms]: [Stored<Payload>, RecordTerms]) {
    const key = keyOf(record);
    return redis.run(PUT, key, [present(key, stored), millisecondsOf(terms)]);
  }

  async function nameRecord({ kind, id }: RecordKey, terms: RecordTerms): Promise<void> {
    if (terms.uid === undefined) return;
    const values = [encode(hashRecordId(id)), millisecondsOf(terms)];
    await redis.run(PUT, secondKey(kind, terms.uid), values);
  }

  function named(payload: Payload, { uid }: RecordTerms): Stored<Payload> {
    return uid === undefined ? { payload } : { uid: encode(hashRecordId(uid)), payload };
  }

  /** Returns true, or the text that is held instead. Without `text`, nothing may be held. */
  async function putInPlaceOfText(text: string | undefined, ...[record, payload, terms]: NewRecord<Payload>) {
    const key = keyOf(record);
    const held = text === undefined ? [] : [text];
    const values = [present(key, named(payload, terms)), millisecondsOf(terms), ...held];
    const reply = await redis.run(PUT_IN_PLACE, key, values);
    if (reply !== 1) return reply;
    await nameRecord(record, terms);
    return true;
  }

  async function putInPlaceOf(former: Payload | undefined, ...added: NewRecord<Payload>): Promise<boolean> {
    const [record, , terms] = added;
    const key = keyOf(record);
    const text = former && present(key, named(former, terms));
    const held = await putInPlaceOfText(text, ...added);
    if (typeof held !== "string" || parse(key, held) !== undefined) return held === true;
    // The caller had found nothing there. Replaces exactly this text, not a record of ours that came meanwhile.
    return (await putInPlaceOfText(held, ...added)) === true;
  }

  return {
    async put(key, payload, terms) {
      await Promise.all([write(key, [named(payload, terms), terms]), nameRecord(key, terms)]);
    },
    putNew: async (...added) => (await putInPlaceOfText(undefined, ...added)) === true,
    putInPlaceOf,
    async putAmong(key, payload, terms) {
      const hash = hashRecordId(terms.uid);
      const member = encode(hashRecordId(key.id));
      const values = [member, millisecondsOf(terms), terms.limit];
      // Reserved first: if the record is not written, the place is free again when its time is over.
      if ((await redis.run(RESERVE, amongKey(key.kind, hash), values)) !== 1) return false;
      await write(key, [{ among: encode(hash), payload }, terms]);
      return true;
    },
    waitAmong: async (kind, uid) => Number(await redis.run(WAIT_AMONG, amongKey(kind, hashRecordId(uid)))),
    async find(key) {
      return (await findStored(keyOf(key)))?.payload;
    },
    async findByUid(kind, uid) {
      const second = secondKey(kind, uid);
      const hash = await redis.run(FIND, second);
      if (typeof hash !== "string") return undefined;
      const stored = await findStored({ kind, hash: decode(hash) });
      return stored?.uid === encode(second.hash) ? stored.payload : undefined;
    },
    async take(record) {
      const key = keyOf(record);
      const stored = parse(key, await redis.run(TAKE, key));
      if (stored?.among !== undefined) await release(record, stored.among);
      return stored !== undefined;
    },
  };

  /** Frees the place of a taken record. A failure is ignored, because the place is free at the latest when its time is over. */
  async function release({ kind, id }: RecordKey, among: string): Promise<void> {
    const key = amongKey(kind, decode(among));
    await redis.run(RELEASE, key, [encode(hashRecordId(id))]).catch(() => undefined);
  }
}
