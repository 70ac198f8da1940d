import { type Log, type Redis, type RedisScript, RedisUnavailable, redisScript } from "@cobs/service-edge";
import type { BeginEpoch, EphemeralEpochs } from "./ephemeral-epoch.ts";

/** Number of groups of keys; the keys of one group are on one node of a Cluster, with the fence of the group. */
const GROUPS = 64;
const GONE = "gone";

// Redis proves that it lost nothing: the server names its own history, which changes after a restart, a failover or a restored
// copy, and the fence is there only until somebody empties Redis. A server that is no longer primary answers as Redis itself
// answers a write, upon which the connection asks again where the primary is.
const READ_HISTORY = `
local replication = redis.call('INFO', 'replication')
if not string.find(replication, 'role:master', 1, true) then return redis.error_reply('READONLY this is a replica') end
local history = string.match(replication, 'master_replid:(%x+)')
if not history then return {'${GONE}'} end`;

// Somebody else may have written another type than text. That is read as a text which bears no mark of ours.
const READ_TEXT = `
local function read(key)
  local kind = redis.call('TYPE', key).ok
  if kind ~= 'string' and kind ~= 'none' then return 'foreign' end
  return redis.call('GET', key)
end`;

const CHECK_FENCE = `${READ_TEXT}
${READ_HISTORY}
if read(KEYS[1]) ~= ARGV[1] .. ' ' .. history then return {'${GONE}'} end`;

// A full server lets a script write only after it has deleted something.
const RAISE_FENCE = redisScript(
  "raise-fence",
  `${READ_HISTORY}
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. history)
return {'ok'}`,
);

/**
 * Creates a script that does nothing unless Redis is in the caller's epoch; `text` uses KEYS[2] and ARGV from 2 on, and `read`
 * instead of GET.
 */
export function fencedScript(name: string, text: string): RedisScript {
  return redisScript(name, `${CHECK_FENCE}\n${text}`);
}

/** A key of auth: a SHA-256, which decides the group, and the kind of record. */
export interface FencedKey {
  readonly kind: string;
  readonly hash: Buffer;
}

/** Redis behind the fence of the current epoch. */
export interface FencedRedis {
  /**
   * Runs a script in the current epoch and returns its result; when that epoch has ended, runs it in the new one. Rejects with
   * `RedisUnavailable`, or as the database does when a new epoch cannot be made.
   */
  run(script: RedisScript, key: FencedKey, values?: readonly (string | number)[]): Promise<unknown>;
  /** Begins a new epoch, in which no earlier record is found. `record` writes in the transaction of the change. */
  turn(record: BeginEpoch): Promise<void>;
}

const groupName = (group: number) => `cobs-auth:{${group.toString(16).padStart(2, "0")}}`;
const groupOf = ({ hash }: FencedKey) => groupName((hash[0] ?? 0) % GROUPS);

/** Puts the fence of the epoch around Redis. `onTurn` is called for each epoch that this process made. */
export function createFencedRedis(parts: {
  readonly redis: Redis;
  readonly epochs: EphemeralEpochs;
  readonly onTurn: () => void;
  readonly log: Log;
}): FencedRedis {
  const { redis, epochs, onTurn, log } = parts;
  let replacing: Promise<string> | undefined;

  async function raiseFences(epoch: string): Promise<void> {
    const raise = async (group: number) => {
      const parameters = { keys: [`${groupName(group)}:epoch`], values: [epoch] };
      readReply(await redis.run(RAISE_FENCE, parameters));
    };
    await Promise.all(Array.from({ length: GROUPS }, (_, group) => raise(group)));
    onTurn();
    log.warn({ epoch }, "a new epoch of Redis begins; its earlier records are no longer found");
  }

  /** Makes all requests of this process that find the epoch ended wait for the same new one. */
  function replace(former: string): Promise<string> {
    replacing ??= epochs.replace(former, raiseFences).finally(() => {
      replacing = undefined;
    });
    return replacing;
  }

  async function runIn(epoch: string, ...[script, key, values = []]: Parameters<FencedRedis["run"]>) {
    const group = groupOf(key);
    const record = `${group}:${epoch}:${key.kind}:${key.hash.toString("base64url")}`;
    return redis.run(script, { keys: [`${group}:epoch`, record], values: [epoch, ...values] });
  }

  return {
    async run(...call) {
      const epoch = await epochs.current();
      const reply = await runIn(epoch, ...call);
      if (!isGone(reply)) return readReply(reply);
      return readReply(await runIn(await replace(epoch), ...call));
    },
    async turn(record) {
      let isMade = false;
      // This process may have missed an epoch: then it learns of the current one here, and ends that.
      while (!isMade) {
        const former = await epochs.current();
        await epochs.replace(former, async (next, queries) => {
          await record(next, queries);
          await raiseFences(next);
          isMade = true;
        });
      }
    },
  };
}

function isGone(reply: unknown): boolean {
  return Array.isArray(reply) && reply[0] === GONE;
}

function readReply(reply: unknown): unknown {
  if (!Array.isArray(reply)) throw new TypeError("the script must return a list");
  if (isGone(reply)) throw new RedisUnavailable("Redis is between two epochs");
  return reply[1];
}
