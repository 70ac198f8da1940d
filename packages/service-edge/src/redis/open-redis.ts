import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Log } from "../log/log.ts";
import type { RedisClient, RedisSettings } from "./connect-redis.ts";
import type { RedisMetrics } from "./redis-metrics.ts";
import { RedisUnavailable } from "./redis-unavailable.ts";
import { tellForgetting } from "./tell-forgetting.ts";

/** A script in Lua, which Redis runs whole or not at all; `name` is for the metrics. */
export interface RedisScript {
  readonly name: string;
  readonly text: string;
  /** SHA-1 of the text in hexadecimal, by which a server knows a script that it has run. */
  readonly digest: string;
}

/** Makes a script from its text. */
export function redisScript(name: string, text: string): RedisScript {
  return { name, text, digest: createHash("sha1").update(text).digest("hex") };
}

/**
 * Keys and arguments of a script. The keys of one call must share a hash tag, because a Cluster would otherwise keep them
 * apart.
 */
export interface ScriptParameters {
  readonly keys: readonly string[];
  readonly values: readonly (string | number)[];
}

/** The Redis of a service, in whichever form. */
export interface Redis {
  /**
   * Runs a script and returns its result. Rejects with `RedisUnavailable` within three seconds; the script may then have run
   * or not.
   */
  run(script: RedisScript, parameters: ScriptParameters): Promise<unknown>;
  close(): Promise<void>;
}

const FIRST_CONNECTION_MILLISECONDS = 2_000;
const RUN_LIMIT_MILLISECONDS = 2_500;
const CLOSE_LIMIT_MILLISECONDS = 1_000;
/** Answers of Redis that come from a mistake in a script or its use, not from the state of Redis. */
const MISTAKE = /^(ERR|WRONGTYPE|CROSSSLOT)\b/;

/** Connects to Redis, and goes on without it if it is not there yet; it then reconnects by itself. */
export async function openRedis(options: {
  readonly settings: RedisSettings;
  readonly applicationName: string;
  readonly metrics: RedisMetrics;
  readonly log: Log;
}): Promise<Redis> {
  const { settings, applicationName, metrics, log } = options;
  // Loads the library only if there is a Redis.
  const { connectRedis } = await import("./connect-redis.ts");
  const client = connectRedis(settings, applicationName);
  tellState(client, metrics, log);
  const signal = AbortSignal.timeout(FIRST_CONNECTION_MILLISECONDS);
  await once(client, "ready", { signal }).catch(() => undefined);
  return {
    run: (script, parameters) => measured(metrics, script, runOn(client, script, parameters)),
    close: () => closeClient(client),
  };
}

/**
 * Logs once that Redis is lost, once for each new reason while reconnecting, and once that it is back, however often it is
 * tried in between.
 */
function tellState(client: RedisClient, metrics: RedisMetrics, log: Log): void {
  let lost = false;
  const told = new Set<string>();
  const lose = (error?: Error) => {
    metrics.connected(false);
    const why = error && reasonOf(error);
    if (!lost || (why !== undefined && !told.has(why)))
      log.warn({ error }, "Redis does not answer; connecting again");
    lost = true;
    if (why !== undefined) told.add(why);
  };
  // Without a listener, a connection that breaks would end the process.
  client.on("error", lose);
  client.on("close", () => lose());
  client.on("ready", () => {
    metrics.connected(true);
    log.info("connected to Redis");
    lost = false;
    told.clear();
    void tellForgetting(client, log);
  });
  client.on("end", () => metrics.connected(false));
}

/** Returns the code of a system error, or the first word of Redis's answer, such as WRONGPASS. */
function reasonOf(error: Error): string {
  return "code" in error ? String(error.code) : (error.message.split(" ", 1)[0] ?? "");
}

async function measured<T>(metrics: RedisMetrics, { name }: RedisScript, running: Promise<T>): Promise<T> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const result = await running;
    metrics.ran(name, { seconds: seconds(), answered: true });
    return result;
  } catch (error) {
    metrics.ran(name, { seconds: seconds(), answered: false });
    throw error;
  }
}

async function runOn(
  client: RedisClient,
  script: RedisScript,
  parameters: ScriptParameters,
): Promise<unknown> {
  try {
    return await withinLimit(evaluate(client, script, parameters));
  } catch (error) {
    if (error instanceof RedisUnavailable || isMistake(error)) throw error;
    if (isReply(error)) throw new RedisUnavailable(`Redis refuses: ${error.message}`, error);
    throw new RedisUnavailable("Redis does not answer", error);
  }
}

async function evaluate(
  client: RedisClient,
  { text, digest }: RedisScript,
  { keys, values }: ScriptParameters,
): Promise<unknown> {
  try {
    return await client.evalsha(digest, keys.length, ...keys, ...values);
  } catch (error) {
    // The script has not run: a server that does not know it yet gets its text.
    if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
    return client.eval(text, keys.length, ...keys, ...values);
  }
}

/** Whether Redis itself has answered, e.g. that its memory is full. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}

function isMistake(error: unknown): boolean {
  return isReply(error) && MISTAKE.test(error.message);
}

function withinLimit<T>(running: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new RedisUnavailable("Redis took too long")),
      RUN_LIMIT_MILLISECONDS,
    );
    running.then(resolve, reject).finally(() => clearTimeout(limit));
  });
}

/** Closes a connection after its commands are answered. */
async function closeClient(client: RedisClient): Promise<void> {
  const limit = setTimeout(() => client.disconnect(), CLOSE_LIMIT_MILLISECONDS);
  await client.quit().catch(() => undefined);
  clearTimeout(limit);
  client.disconnect();
}
