import type { Log } from "../log/log.ts";
import type { RedisClient } from "./connect-redis.ts";

const POLICY = /^maxmemory_policy:(\S+)/m;
const WANTED = "noeviction";

/**
 * Logs an error if a server with full memory drops data instead of refusing more: sessions would end and limits start anew
 * silently. Logs nothing if the server may not be asked, or does not answer.
 */
export async function tellForgetting(client: RedisClient, log: Pick<Log, "error">): Promise<void> {
  const servers = "nodes" in client ? client.nodes("master") : [client];
  const told = await Promise.all(servers.map((server) => server.info("memory").catch(() => "")));
  const policies = told.flatMap((text) => POLICY.exec(text)?.[1] ?? []);
  const other = policies.find((policy) => policy !== WANTED);
  if (other !== undefined)
    log.error(
      { detail: `maxmemory-policy is ${other}, but must be ${WANTED}` },
      "Redis drops data when its memory is full",
    );
}
