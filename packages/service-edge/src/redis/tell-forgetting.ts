import type { Log } from "../log/log.ts";
import type { RedisClient } from "./connect-redis.ts";

const POLICY = /^maxmemory_policy:(\S+)/m;
const WANTED = "noeviction";

/**
 * Says in the log when a server drops what it keeps, once its memory is full, instead of refusing to keep more: sessions would
 * end and limits begin anew without a word. Who may not ask a server, or gets no answer, is told nothing.
 */
export async function tellForgetting(client: RedisClient, log: Pick<Log, "error">): Promise<void> {
  const servers = "nodes" in client ? client.nodes("master") : [client];
  const told = await Promise.all(servers.map((server) => server.info("memory").catch(() => "")));
  const policies = told.flatMap((text) => POLICY.exec(text)?.[1] ?? []);
  const other = policies.find((policy) => policy !== WANTED);
  if (other !== undefined)
    log.error(
      { detail: `maxmemory-policy is ${other}, and has to be ${WANTED}` },
      "Redis forgets what it keeps when it is full",
    );
}
