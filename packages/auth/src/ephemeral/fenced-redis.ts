import { type Log, type Redis, type RedisScript, RedisUnavailable, redisScript } from "@cobs/service-edge";
import type { BeginEpoch, EphemeralEpochs } from "./ephemeral-epoch.ts";

/** As many groups of keys there are; the keys of one group are on one node of a Cluster, beside the fence of the group. */
const GROUPS = 64;
const GONE = "gone";

// Redis answers for itself: the server names its own history, which is another one after a restart, a failover or a copy
// from elsewhere, and the fence stands only as long as nobody has emptied it. One that is no primary any more says so as
// Redis itself does to who writes, at which the connection asks again where the primary is.
const READ_HISTORY = `
local replication = redis.call('INFO', 'replication')
if not string.find(replication, 'role:master', 1, true) then return redis.error_reply('READONLY this is a replica') end
local history = string.match(replication, 'master_replid:(%x+)')
if not history then return {'${GONE}'} end`;

const CHECK_FENCE = `${READ_HISTORY}
if redis.call('GET', KEYS[1]) ~= ARGV[1] .. ' ' .. history then return {'${GONE}'} end`;

// A full server lets a script write that has deleted something.
const RAISE_FENCE = redisScript(
  "raise-fence",
  `${READ_HISTORY}
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. history)
return {'ok'}`,
);

/** Makes a script that does nothing unless Redis is in the epoch of the caller; `text` uses KEYS[2] and ARGV from 2 on. */
export function fencedScript(name: string, text: string): RedisScript {
  return redisScript(name, `${CHECK_FENCE}\n${text}`);
}

/** A key of ours: a SHA-256, which decides the group, and what it is the key of. */
export interface FencedKey {
  readonly kind: string;
  readonly hash: Buffer;
}

/** Redis, as far as it is believed. */
export interface FencedRedis {
  /**
   * What the script gives in the epoch that it is; when that has ended, what it gives in the new one. Rejects with
   * `RedisUnavailable`, or as the database when a new epoch cannot be made.
   */
  run(script: RedisScript, key: FencedKey, values?: readonly (string | number)[]): Promise<unknown>;
  /** Lets a new epoch begin: nothing that was kept is found any more. `record` writes in the transaction of the change. */
  turn(record: BeginEpoch): Promise<void>;
}

const groupName = (group: number) => `cobs-auth:{${group.toString(16).padStart(2, "0")}}`;
const groupOf = ({ hash }: FencedKey) => groupName((hash[0] ?? 0) % GROUPS);

/** Puts the fence of the epoch around Redis. `onTurn` is told of each epoch that this process has made. */
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
    log.warn({ epoch }, "a new epoch of Redis begins; what it held is not found any more");
  }

  /** Calls of this process that find at once that the epoch is over wait for one new one. */
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
      // Which epoch it is this process may have missed: then it learns it, and ends that one.
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
  if (!Array.isArray(reply)) throw new TypeError("a script of ours gives a list");
  if (isGone(reply)) throw new RedisUnavailable("Redis is between two epochs");
  return reply[1];
}
