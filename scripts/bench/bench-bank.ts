/**
 * The bank of the bench: both services from their `tsc` output with production logging and metrics, a PostgreSQL that flushes,
 * revocation checks, and enough PSUs that none needs a second code in the same half minute. It owns no load.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readSealingKey, seedSandboxDirectory } from "@cobs/auth/sandbox";
import { createLog, type Database, openDatabase, Secret } from "@cobs/service-edge";
import {
  type CertificatePaths,
  type ReadySandbox,
  requireReady,
  type SandboxDocument,
} from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { configureSandbox } from "../../packages/sandbox/src/start/config.ts";
import { PORT_VARIABLES } from "../../packages/sandbox/src/start/env.ts";
import { startSandbox } from "../../packages/sandbox/src/start/start-sandbox.ts";
import { createStopOrder } from "../../packages/sandbox/src/start/stop-order.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { BenchPsus, FlowOrder, KeyPair, Target } from "./load/load-order.ts";
import { type Cores, pin } from "./processor.ts";

/** The running bank. */
export interface BenchBank {
  readonly document: ReadySandbox;
  /** Targets of a TPP's calls: the API host of auth, and resource. */
  readonly auth: Target;
  readonly resource: Target;
  /** Target of resource's calls to auth. */
  readonly introspection: Target;
  /** An authorization by one of the PSUs of the bench. */
  readonly flow: FlowOrder;
  /** Seeds these PSUs, once; callers that need no flow leave them out. */
  bringPsus(): Promise<void>;
  stop(): Promise<void>;
}

export const PSUS: BenchPsus = {
  prefix: "bench-",
  count: 6_000,
  password: "correct horse battery staple",
  totpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
};

/** Limits that no call of a bench reaches; calls are counted all the same. */
const LIMITS = [
  "TOKEN_REQUESTS_PER_MINUTE",
  "AUTHORIZATIONS_PER_MINUTE",
  "ADDRESS_REQUESTS_PER_MINUTE",
  "INTROSPECTIONS_PER_MINUTE",
  "NEW_TOKENS_PER_MINUTE",
  "PAYMENTS_PER_MINUTE",
  "CALLS_AT_ONCE_PER_TPP",
];
const NO_LIMIT = "10000000";
/** Cheapest password hash: its cost is configurable and not compared here. */
const CHEAPEST = { cost: 2, blockSize: 1, parallelization: 1 };
const SEEDED_AT_ONCE = 200;

/** Starts it in its own folder, on free ports; `inherited` has what it needs of our environment. */
export async function startBenchBank(cores: Cores, inherited: Record<string, string>): Promise<BenchBank> {
  const parent = makeTemporaryFolder("cobs-bench-");
  const directory = join(parent, "sandbox");
  const ports = Object.fromEntries(Object.values(PORT_VARIABLES).map((name) => [name, "0"]));
  const limits = Object.fromEntries(LIMITS.map((name) => [name, NO_LIMIT]));
  const stopOrder = createStopOrder();
  const config = configureSandbox({ ...ports, SANDBOX_DIRECTORY: directory });
  const stop = async () => {
    await stopOrder.stop();
    await rm(parent, { recursive: true, force: true });
  };
  try {
    const started = await startSandbox(config, {
      inherited: { ...inherited, ...limits },
      stopOrder,
      say: () => undefined,
    });
    const document = requireReady(started);
    for (const pid of [document.processes.auth, document.processes.resource]) pin(pid, cores.server, cores);
    let bringing: Promise<void> | undefined;
    const bringPsus = () => {
      bringing ??= seedPsus(document);
      return bringing;
    };
    return { document, ...(await targetsOf(document)), bringPsus, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readKeyPair({ certificate, key }: CertificatePaths): Promise<KeyPair> {
  return { certificate: await readFile(certificate, "utf8"), key: await readFile(key, "utf8") };
}

async function targetsOf(document: ReadySandbox) {
  const { readyApplication: application, certificates } = document;
  const shown = certificates.find(({ name }) => name === application.certificate);
  if (shown === undefined) throw new TypeError("the ready application has no certificate");
  const identity = await readKeyPair(shown);
  const authority = await readFile(document.ca, "utf8");
  const client = { client_id: application.clientId, client_secret: application.clientSecret };
  const auth = { origin: document.auth.mutualTls, authority, identity };
  const introspection = {
    origin: document.auth.bank,
    authority: await readFile(document.privateCa, "utf8"),
    identity: await readKeyPair(document.bankClients.resource),
  };
  const { redirectUri } = application;
  return {
    auth,
    resource: { origin: document.resource.mutualTls, authority, identity },
    introspection,
    flow: {
      kind: "flows" as const,
      target: auth,
      authorizeUrl: authorizeUrl(`${document.auth.browser}/oauth/authorize`, client.client_id, redirectUri),
      redirectUri,
      tokenPath: "/oauth/token",
      client,
      psus: PSUS,
    },
  };
}

/** The URL with which an authorization begins. */
export function authorizeUrl(endpoint: string, clientId: string, redirectUri: string): string {
  const request = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, scope: "aisp" };
  return `${endpoint}?${new URLSearchParams({ ...request, state: "bench" })}`;
}

/** Seeds PSUs who sign in at auth; at resource each has the accounts of the sandbox's first PSU. */
async function seedPsus(document: SandboxDocument): Promise<void> {
  const { sealingKey } = sandboxLayout(document.directory);
  const key = readSealingKey(new Secret(await readFile(sealingKey, "utf8")));
  const psus = Array.from({ length: PSUS.count }, (_, index) => {
    const username = `${PSUS.prefix}${index}`;
    return { ...PSUS, psuId: `psu-${username}`, username, displayName: username };
  });
  await withDatabase(document.databases.auth, async (database) => {
    for (let from = 0; from < psus.length; from += SEEDED_AT_ONCE)
      await seedSandboxDirectory(database, psus.slice(from, from + SEEDED_AT_ONCE), key, CHEAPEST);
  });
  await withDatabase(document.databases.resource, (database) =>
    database.run({
      name: "bench-access",
      text: `INSERT INTO sandbox_account_access (psu_id, account_id)
        SELECT psu.id, account_id FROM unnest($1::text[]) AS psu (id), sandbox_account_access WHERE psu_id = $2`,
      values: [psus.map(({ psuId }) => psuId), document.psus[0]?.psuId],
    }),
  );
}

async function withDatabase(url: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = openDatabase({
    url: new Secret(url),
    maxConnections: 4,
    applicationName: "bench",
    log: createLog("bench", "error"),
    timeLimits: { connection: 30_000, statement: 30_000 },
  });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
