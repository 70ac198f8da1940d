import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AuthConfiguration,
  type AuthPorts,
  configure,
  MIGRATIONS_DIRECTORY,
  startAuth,
} from "@cobs/auth";
import {
  readSealingKey,
  type SandboxNewcomer,
  type SandboxPsu,
  seedSandboxDirectory,
} from "@cobs/auth/sandbox";
import { type Database, type Log, openDatabase, Secret } from "@cobs/service-edge";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { createLifecycle } from "../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { type CuttableTunnel, noTunnel, openTunnel } from "../support/cuttable-tunnel.ts";
import { type MovableClock, movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { redisOfThisRun } from "../support/redis-of-this-run.ts";
import { createStatementReader } from "../support/statement-names.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { createMigratedTestDatabase, PATIENT, PATIENT_LIMITS } from "../support/test-databases.ts";
import { type AccountsServer, startAccountsServer } from "./accounts-server.ts";
import { type AuthCalls, BROWSER_HOST, beginCalls } from "./auth-calls.ts";

export const ISSUER = `https://${BROWSER_HOST}`;
export const RESOURCE_SERVER = "https://localhost:9443/cobs/2.0";

/** The PSUs of every test server, which differ only in their names; they share password and secret. */
export const PSUS: readonly SandboxPsu[] = ["jana", "petr"].map((username) => ({
  psuId: `psu-${username}`,
  username,
  displayName: username,
  password: "correct horse battery staple",
  totpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
}));

/** The PSU of every test server who has no authenticator yet. */
export const NEWCOMER: SandboxNewcomer = {
  psuId: "psu-hana",
  username: "hana",
  displayName: "hana",
  password: "correct horse battery staple",
  activationCode: "4071-8825-1930-5562-7743",
};

// Cheap, because these tests are not about the cost of a guess. Each row records its parameters, and an unknown username costs
// as much.
const QUICK_SCRYPT = { cost: 1_024, blockSize: 8, parallelization: 1 };

/** An authorization server over real TLS with a real database. */
export interface RunningAuth extends AuthCalls {
  readonly config: AuthConfiguration;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: AuthPorts;
  readonly certificates: SandboxCertificates;
  readonly accounts: AccountsServer;
  readonly clock: MovableClock;
  /** Tunnel between the server and its database, if it was started `tunnelled`. */
  readonly tunnel: CuttableTunnel;
  /** Names of the statements that a `tunnelled` server has run, oldest first, including those of its own jobs. */
  readonly statements: readonly string[];
  /** A connection for the test itself. */
  readonly database: Database;
  readonly logLines: readonly Record<string, unknown>[];
  stop(): Promise<void>;
}

/** What this server does not share with other tests: its certificates, or a database prepared for it. */
interface OwnParts {
  readonly certificates?: SandboxCertificates;
  readonly ownDatabase?: string;
  /** Whether its database is behind a tunnel, which slows every statement. */
  readonly tunnelled?: boolean;
}

/** Starts a server; with `beside`, a second process of that server. `replaced` sets what no variable can. */
export async function runAuth(
  changed: Readonly<Record<string, string>> = {},
  beside?: RunningAuth,
  {
    certificates: own,
    ownDatabase,
    tunnelled = false,
    ...replaced
  }: Partial<AuthConfiguration> & OwnParts = {},
): Promise<RunningAuth> {
  const clock = beside?.clock ?? movableClock();
  const certificates = own ?? (await testCertificates());
  const authority = readFileSync(certificates.privateCaFile, "utf8");
  const accounts = await startAccountsServer(certificates.server.resourceBank, authority);
  const folder = temporaryFolder();
  const { url, directUrl, tunnel, statements } = await reachDatabase(
    beside?.environment.TEST_DATABASE_URL ?? ownDatabase,
    tunnelled,
  );
  const sealingKeyFile = beside?.environment.SEALING_KEY_FILE ?? writeSealingKey(folder.path);
  const environment = {
    ...environmentOf(certificates),
    SEALING_KEY_FILE: sealingKeyFile,
    DATABASE_URL: url,
    RESOURCE_BANK_URL: accounts.url,
    ...(beside === undefined ? await redisOfThisRun() : { REDIS_URL: beside.environment.REDIS_URL ?? "" }),
    TEST_DATABASE_URL: directUrl,
    ...changed,
  };
  const config = { ...PATIENT_LIMITS, ...configureQuickly(environment), ...replaced };
  const { log, lines } = readableLog();
  const lifecycle = createLifecycle(log);
  const ports = await startAuth(config, { log, lifecycle, clock });
  const database = openTestDatabase(directUrl, log);
  if (beside === undefined) await seedPsus(database, environment.SEALING_KEY_FILE);
  const { calls, end } = beginCalls(ports, certificates, lines);
  return {
    config,
    environment,
    ports,
    certificates,
    accounts,
    clock,
    tunnel,
    statements,
    database,
    logLines: lines,
    ...calls,
    stop: async () => {
      end();
      await lifecycle.stop();
      await accounts.close();
      await database.close();
      if (tunnelled) await tunnel.cut();
      folder.remove();
    },
  };
}

function configureQuickly(environment: Readonly<Record<string, string>>): AuthConfiguration {
  const configured = configure(environment);
  const { psuLogin } = configured;
  if (psuLogin.login !== "sandbox") return configured;
  return { ...configured, psuLogin: { ...psuLogin, passwordCost: QUICK_SCRYPT } };
}

/** Finds the server's way to its database, by default a new one; the test itself goes directly. */
async function reachDatabase(given: string | undefined, tunnelled: boolean) {
  const directUrl = given ?? (await createMigratedTestDatabase(MIGRATIONS_DIRECTORY));
  const url = new URL(directUrl);
  const statements: string[] = [];
  const hear = () => createStatementReader((name) => statements.push(name));
  const tunnel = tunnelled ? await openTunnel(Number(url.port), hear) : noTunnel(Number(url.port));
  url.port = String(tunnel.port);
  return { url: url.href, directUrl, tunnel, statements };
}

function openTestDatabase(url: string, log: Log): Database {
  const options = { maxConnections: 2, applicationName: "test", log, timeLimits: PATIENT };
  return openDatabase({ url: new Secret(url), ...options });
}

async function seedPsus(database: Database, sealingKeyFile: string): Promise<void> {
  const sealingKey = readSealingKey(new Secret(readFileSync(sealingKeyFile, "utf8")));
  await seedSandboxDirectory(database, [...PSUS, NEWCOMER], sealingKey, QUICK_SCRYPT);
}

function writeSealingKey(folder: string): string {
  const file = join(folder, "sealing.key");
  writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600 });
  return file;
}

function environmentOf({ server, bank, privateCaFile, anchorsFile }: SandboxCertificates) {
  return {
    MODE: "sandbox",
    REVOCATION: "off",
    // Its thread takes a second to start; the tests of the second reader turn it on.
    SECOND_READER: "off",
    BROWSER_PORT: "0",
    MUTUAL_TLS_PORT: "0",
    BANK_PORT: "0",
    OPERATOR_PORT: "0",
    SERVER_CERTIFICATE_FILE: server.auth.certificateFile,
    SERVER_KEY_FILE: server.auth.keyFile,
    BANK_CERTIFICATE_FILE: server.authBank.certificateFile,
    BANK_KEY_FILE: server.authBank.keyFile,
    BANK_CLIENT_CERTIFICATE_FILE: bank.auth.certificateFile,
    BANK_CLIENT_KEY_FILE: bank.auth.keyFile,
    BANK_AUTHORITY_FILE: privateCaFile,
    TRUST_ANCHORS_FILE: anchorsFile,
    DRAIN_LIMIT_SECONDS: "1",
  };
}
