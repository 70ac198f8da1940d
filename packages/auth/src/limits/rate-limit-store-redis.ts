import { createHash } from "node:crypto";
import { type Redis, redisScript } from "@cobs/service-edge";
import {
  type Bucket,
  type FullBucket,
  MINUTE_MICROSECONDS,
  MOST_OVERFILLED,
  measureOf,
  type RateLimitStore,
} from "./rate-limit-store.ts";

// A bucket is stored as the microsecond at which it will be empty. Such numbers need %.0f, because Lua prints fourteen digits.
const READ_CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local minute = ${MINUTE_MICROSECONDS}
local function held(key)
  -- Somebody else may have written another type.
  if redis.call('TYPE', key).ok ~= 'string' then return now end
  return math.max(tonumber(redis.call('GET', key)) or now, now)
end
local function keep(key, empty)
  redis.call('SET', key, string.format('%.0f', empty), 'PX', math.ceil((empty - now) / 1000))
end`;

const POUR = redisScript(
  "rate-limit-pour",
  `${READ_CLOCK}
local after, over, full = {}, {}, false
for index, key in ipairs(KEYS) do
  local before = held(key)
  -- Of a clock that was put back.
  if before > now + minute + ARGV[index] * ${MOST_OVERFILLED} then before = now end
  after[index] = before + ARGV[index]
  over[index] = math.max(after[index] - now - minute, 0)
  full = full or over[index] > 0
end
if not full then for index, key in ipairs(KEYS) do keep(key, after[index]) end end
return over`,
);

const OVERFILL = redisScript(
  "rate-limit-overfill",
  `${READ_CLOCK}
for index, key in ipairs(KEYS) do keep(key, math.min(held(key), now + minute) + ARGV[index]) end
return {}`,
);

const digest = (name: string) => createHash("sha256").update(name).digest("base64url");

function parametersOf(buckets: readonly Bucket[], measures = 1) {
  return {
    // One hash tag for all, because the buckets of one request are counted together, and one node counts faster than all
    // processes ask.
    keys: buckets.map(({ name }) => `cobs-auth:{limits}:${digest(name)}`),
    values: buckets.map((bucket) => measureOf(bucket) * measures),
  };
}

function fullAmong(buckets: readonly Bucket[], reply: unknown): readonly FullBucket[] {
  if (!Array.isArray(reply)) throw new TypeError("the script must return a list");
  return buckets.flatMap(({ name }, index) => {
    const over = Number(reply[index]);
    return over > 0 ? [{ name, waitMilliseconds: over / 1000 }] : [];
  });
}

/**
 * Counts in Redis, with one script per request and the server's clock. Buckets belong to no epoch: one from before is just empty.
 */
export function createRateLimitsInRedis(redis: Redis): RateLimitStore {
  return {
    async pour(buckets) {
      return fullAmong(buckets, await redis.run(POUR, parametersOf(buckets)));
    },
    async overfill(buckets, measures) {
      await redis.run(OVERFILL, parametersOf(buckets, measures));
    },
  };
}
