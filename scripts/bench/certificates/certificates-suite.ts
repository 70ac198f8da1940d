/**
 * Measures what verifying certificates costs: CPU time of a server process per request on open connections, and per new
 * connection (TLS 1.3, P-256, no resumption, one request). The baseline is the same server that asks for a certificate and
 * ignores it. Each way has its own process. Rounds are interleaved, so that a busy machine slows all ways alike.
 */
import { fileURLToPath } from "node:url";
import { inTurn } from "../contest.ts";
import { spreadOf } from "../spread.ts";
import { type BenchChild, startChild } from "./bench-child.ts";
import { type BenchMaterial, issueBenchMaterial } from "./bench-material.ts";
import type { BenchTable } from "./bench-result.ts";
import type { LoadOrder } from "./load-process.ts";
import { type WayName, wayNames } from "./ways.ts";

/** How much is measured. */
export interface BenchSize {
  readonly rounds: number;
  /** Requests on open connections, per round and way. */
  readonly requests: number;
  readonly connections: number;
  readonly ways: readonly WayName[];
}

/** Time limit for one table; on a busy machine fewer rounds fit into it. */
const TABLE_LIMIT_MILLISECONDS = 60_000;

export const fullSize: BenchSize = { rounds: 41, requests: 1_500, connections: 140, ways: wayNames };

/** Size for a gate: only the ways that have a target, and their baseline. */
export const quickSize: BenchSize = { ...fullSize, ways: ["bare", "verified"] };

interface MeasuredServer {
  readonly way: WayName;
  readonly port: number;
  readonly child: BenchChild;
}

const NAMES: Readonly<Record<WayName, string>> = {
  bare: "mutual TLS alone (baseline)",
  verified: "verified, with revocation (this project)",
  "read-each-time": "certificate read from TLS at each request",
  "parsed-each-time": "certificate parsed by @peculiar/x509 at each request",
};

/** Ways that are shown for comparison and have no target. */
const COMPARED: readonly WayName[] = ["read-each-time", "parsed-each-time"];

/**
 * `warmUps` rounds run before the first that counts, because until then the code is not fully compiled. The ways in `COMPARED`
 * take longer, need less precision, and are measured `compared` times less often.
 */
const KINDS = [
  {
    kind: "keep-alive",
    title: "Requests on open connections",
    operation: "request",
    warmUps: 10,
    compared: 20,
    target: 1.2,
  },
  {
    kind: "new-connections",
    title: "New connections",
    operation: "connection",
    warmUps: 20,
    compared: 7,
    target: 1.1,
  },
] as const;

export async function benchCertificates(size: BenchSize): Promise<readonly BenchTable[]> {
  const material = await issueBenchMaterial(new Date());
  const load = startChild(modulePath("load-process.ts"));
  const servers: MeasuredServer[] = [];
  try {
    for (const way of size.ways) servers.push(await startServer(way, material));
    const tables: BenchTable[] = [];
    for (const kind of KINDS) tables.push(await measure(kind, { size, material, load, servers }));
    return tables;
  } finally {
    for (const child of [load, ...servers.map((server) => server.child)]) child.end();
  }
}

interface Bench {
  readonly size: BenchSize;
  readonly material: BenchMaterial;
  readonly load: BenchChild;
  readonly servers: readonly MeasuredServer[];
}

async function measure(
  { kind, title, operation, warmUps, compared, target }: (typeof KINDS)[number],
  { size, material, load, servers }: Bench,
): Promise<BenchTable> {
  const perRound = kind === "keep-alive" ? size.requests : size.connections;
  const costs = new Map<WayName, number[]>(size.ways.map((way) => [way, []]));
  const costOf = async ({ way, port, child }: MeasuredServer, rounds: number) => {
    const requests = Math.ceil((rounds * perRound) / (COMPARED.includes(way) ? compared : 1));
    const order: LoadOrder = { kind, port, requests, material };
    const before = await child.ask({ kind: "usage" });
    await load.ask(order);
    return ((await child.ask({ kind: "usage" })) - before) / requests;
  };
  for (const server of servers) await costOf(server, COMPARED.includes(server.way) ? 1 : warmUps);
  const end = performance.now() + TABLE_LIMIT_MILLISECONDS;
  for (let round = 0; round < size.rounds && performance.now() < end; round += 1)
    for (const server of inTurn(servers, round)) costs.get(server.way)?.push(await costOf(server, 1));
  const baseline = costs.get("bare") ?? [];
  const rows = [...costs].map(([way, cost]) => ({
    name: NAMES[way],
    cpu: spreadOf(cost),
    ratio: spreadOf(cost.map((value, round) => value / (baseline[round] ?? Number.NaN))),
    target: way === "verified" ? target : undefined,
  }));
  return { title, operation, rounds: baseline.length, operationsPerRound: perRound, rows };
}

async function startServer(way: WayName, material: BenchMaterial): Promise<MeasuredServer> {
  const child = startChild(modulePath("server-process.ts"));
  const port = await child.ask({ kind: "listen", way, material });
  return { way, port, child };
}

function modulePath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
