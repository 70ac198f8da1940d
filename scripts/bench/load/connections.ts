import { Agent, Pool } from "undici";
import type { Target } from "./load-order.ts";

/** Generous, because a handshake may wait on a busy machine; handshakes are not measured. */
const CONNECT_LIMIT_MILLISECONDS = 120_000;

const pools = new Map<string, Pool>();
const agents = new Map<string, Agent>();

function connectionOf({ authority, identity }: Target) {
  return {
    ca: authority,
    cert: identity.certificate,
    key: identity.key,
    timeout: CONNECT_LIMIT_MILLISECONDS,
  };
}

/** Connections to a target that stay open over all rounds, each with one call at a time. */
export function poolOf(target: Target): Pool {
  const name = `${target.origin} ${target.identity.certificate}`;
  const known = pools.get(name);
  if (known !== undefined) return known;
  const connect = connectionOf(target);
  const pool = new Pool(target.origin, { pipelining: 1, connect, keepAliveTimeout: 60_000 });
  pools.set(name, pool);
  return pool;
}

/** The same for browsers, which present no certificate. */
export function browserAgentOf({ origin, authority: ca }: Target): Agent {
  const agent =
    agents.get(origin) ??
    new Agent({ connect: { ca, timeout: CONNECT_LIMIT_MILLISECONDS }, keepAliveTimeout: 60_000 });
  agents.set(origin, agent);
  return agent;
}
