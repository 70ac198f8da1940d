import type { Redis as Client } from "ioredis";

/**
 * The keys that match a pattern, each followed by its content as Redis returns it. A `DUMP` would be compressed and broken into
 * pieces, in which a long secret could not be found.
 */
export async function keysAndValues(client: Client, pattern = "*"): Promise<readonly string[]> {
  const keys = await client.keys(pattern);
  const pairs = await Promise.all(keys.map(async (key) => [key, await readKey(client, key)]));
  return pairs.flat();
}

async function readKey(client: Client, key: string): Promise<string> {
  const type = await client.type(key);
  if (type === "string") return (await client.get(key)) ?? "";
  if (type === "zset") return (await client.zrange(key, 0, "-1")).join();
  // The key has expired meanwhile.
  if (type === "none") return "";
  throw new Error(`${key} is a ${type}, which nobody here reads`);
}
