import type { Redis as Client } from "ioredis";

/**
 * The keys of a pattern, each followed by what is kept under it, as Redis answers with it. A `DUMP` is compressed and broken
 * into pieces: a long secret would not be found in it.
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
  // It has expired meanwhile.
  if (type === "none") return "";
  throw new Error(`${key} is a ${type}, which nobody here reads`);
}
