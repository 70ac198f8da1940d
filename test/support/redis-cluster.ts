import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { type RedisServer, secureLines, startRedis } from "./redis-servers.ts";
import { testCertificates } from "./test-certificates.ts";

const MASTERS = 3;
const NODES = MASTERS + 1;
const SLOTS = 16_384;
const FORMED_LIMIT_MILLISECONDS = 45_000;
/** A node that gets no answer to its handshake within the node timeout is forgotten, on a busy machine for good. */
const MEETING_MILLISECONDS = 15_000;
/** Generous, because a busy machine delays a node that is not down, and must not cause a failover. */
const NODE_TIMEOUT_MILLISECONDS = 5_000;

/** A Cluster of three masters on loopback, with one replica, which follows the first master. */
export interface RedisCluster {
  readonly url: string;
  readonly masters: readonly RedisServer[];
  stop(): Promise<void>;
}

/** Starts the nodes, gives each master its share of the slots, and waits until all agree and the replica follows. */
export async function startRedisCluster({
  nodeTimeoutMilliseconds = NODE_TIMEOUT_MILLISECONDS,
  isSecure = false,
} = {}): Promise<RedisCluster> {
  // By default a node would take a bus port from the system's ephemeral range.
  const buses = await Promise.all(Array.from({ length: NODES }, freePort));
  const securePorts = isSecure ? await Promise.all(buses.map(freePort)) : [];
  const nodes = await startAll(buses, await Promise.all(securePorts.map(secureNodeLines)));
  const masters = nodes.slice(0, MASTERS);
  const [first, replica] = [masters[0], nodes[MASTERS]];
  if (first === undefined || replica === undefined) throw new TypeError("a Cluster has nodes");
  await Promise.all(masters.map((node, index) => giveSlots(node, index)));
  for (const { client } of nodes)
    await client.call("CLUSTER", "MEET", "127.0.0.1", securePorts[0] ?? first.port, buses[0] ?? 0);
  await eventually(
    async () => (await Promise.all(nodes.map(isFormed))).every(Boolean),
    FORMED_LIMIT_MILLISECONDS,
  );
  await replica.client.call("CLUSTER", "REPLICATE", String(await first.client.call("CLUSTER", "MYID")));
  await eventually(() => follows(replica), FORMED_LIMIT_MILLISECONDS);
  for (const { client } of nodes) await client.config("SET", "cluster-node-timeout", nodeTimeoutMilliseconds);
  const hosts = nodes.map(({ port }, index) => `127.0.0.1:${securePorts[index] ?? port}`).join(",");
  const { username, password } = new URL(first.url);
  return {
    url: `${isSecure ? "rediss" : "redis"}+cluster://${username}:${password}@${hosts}`,
    masters,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** Starts a node for each of the Cluster's bus ports, or none if one fails. */
async function startAll(
  buses: readonly number[],
  secure: readonly (readonly string[])[],
): Promise<readonly RedisServer[]> {
  const timeout = `cluster-node-timeout ${MEETING_MILLISECONDS}`;
  const lines = ["cluster-enabled yes", timeout, "repl-diskless-sync-delay 0"];
  const startNode = (bus: number, index: number) =>
    startRedis([...lines, ...(secure[index] ?? []), `cluster-port ${bus}`]);
  const started = await Promise.allSettled(buses.map(startNode));
  const nodes = started.flatMap((node) => (node.status === "fulfilled" ? [node.value] : []));
  const failure = started.find(({ status }) => status === "rejected");
  if (failure === undefined) return nodes;
  await Promise.all(nodes.map((node) => node.stop()));
  throw new Error("a node of the Cluster did not start", { cause: failure });
}

/** Nodes announce their TLS ports only if they also use TLS among themselves, which they do as callers with a certificate. */
async function secureNodeLines(port: number): Promise<readonly string[]> {
  const { bank, caFile, privateCaFile, directory } = await testCertificates();
  const authorities = join(directory, "redis-authorities.pem");
  writeFileSync(authorities, [caFile, privateCaFile].map((file) => readFileSync(file, "utf8")).join("\n"));
  return [
    ...(await secureLines(port)),
    "tls-cluster yes",
    "tls-replication yes",
    `tls-ca-cert-file ${authorities}`,
    `tls-client-cert-file ${bank.auth.certificateFile}`,
    `tls-client-key-file ${bank.auth.keyFile}`,
  ];
}

async function giveSlots({ client }: RedisServer, index: number): Promise<void> {
  const from = Math.floor((SLOTS * index) / MASTERS);
  const to = Math.floor((SLOTS * (index + 1)) / MASTERS) - 1;
  await client.call("CLUSTER", "ADDSLOTSRANGE", from, to);
  await client.call("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
}

async function isFormed({ client }: RedisServer): Promise<boolean> {
  const told = String(await client.cluster("INFO"));
  return told.includes("cluster_state:ok") && told.includes(`cluster_known_nodes:${NODES}`);
}

async function follows({ client }: RedisServer): Promise<boolean> {
  return String(await client.info("replication")).includes("master_link_status:up");
}
