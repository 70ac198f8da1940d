import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type Database,
  isDatabaseUnavailable,
  migrateDatabase,
  openDatabase,
  Secret,
} from "@cobs/service-edge";
import { expect } from "chai";
import type { ConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { PSU } from "../contracts/sample-consent.ts";
import { storeTpp } from "../contracts/stored-tpp.ts";
import { psuAct } from "../contracts/test-acts.ts";
import { eventually } from "../support/eventually.ts";
import { engineOfThisRun } from "../support/postgres-engines.ts";
import { type PostgresPair, startPostgresPair } from "../support/postgres-pair.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { giveConsent } from "./given-consent.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const LIMIT_MILLISECONDS = 60_000;
const NAMES = "2 (second, pg_receivewal)";
/** So long is an ending waited for that nobody answers. */
const UNANSWERED = { connection: 5_000, statement: 5_000 };

// With `ANY 1` a commit would be in one of the two alone, and whoever takes over without it revives what has ended.
describe("auth after a takeover, where commits wait for the standby and the archive", function takeover() {
  this.timeout(300_000);
  let folder: string;
  let pair: PostgresPair;
  let archiving: ChildProcess;
  let auth: Database;
  beforeEach(async () => {
    folder = makeTemporaryFolder("cobs-archive-");
    pair = await startPostgresPair(["auth"], engineOfThisRun());
    archiving = await archiveCommits();
    auth = await openAuth(pair.single[0] ?? "");
    await storeTpp(auth);
  });
  afterEach(async () => {
    archiving?.kill("SIGKILL");
    await auth?.close();
    await pair?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The archive beside the standby, as the operations README has them. */
  async function archiveCommits(): Promise<ChildProcess> {
    const { primary } = pair;
    await primary.sql("CREATE ROLE archive REPLICATION LOGIN PASSWORD 'archive'");
    const program = join(BIN, "pg_receivewal");
    const slot = ["--dbname", `postgres://archive:archive@127.0.0.1:${primary.port}`, "--slot", "archive"];
    execFileSync(program, [...slot, "--create-slot"]);
    const terms = [...slot, "--synchronous", "--no-loop", "--directory", folder];
    const started = spawn(program, terms, { stdio: "ignore" });
    await eventually(() => readdirSync(folder).length > 0, LIMIT_MILLISECONDS);
    await primary.sql(`ALTER SYSTEM SET synchronous_standby_names = '${NAMES}'`);
    await primary.sql("SELECT pg_reload_conf()");
    await untilBothFollow();
    return started;
  }

  async function untilBothFollow(): Promise<void> {
    const both = "SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
    await eventually(async () => (await pair.primary.sql(both)).length === 2, LIMIT_MILLISECONDS);
  }

  async function openAuth(text: string): Promise<Database> {
    const [url, { log }] = [new Secret(text), readableLog()];
    await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    return openDatabase({ url, maxConnections: 4, applicationName: "test", log, timeLimits: UNANSWERED });
  }

  async function withdraw(id: ConsentId): Promise<void> {
    await createConsentStore(auth).end(id, { by: "psu", reason: "withdrawn", act: psuAct(PSU) });
  }

  /** The primary is lost, and the standby becomes one. */
  async function takeOver(): Promise<void> {
    const { primary, standby, single } = pair;
    await primary.stop("immediate");
    await auth.close();
    await standby.promote();
    const done = "SELECT WHERE NOT pg_is_in_recovery()";
    await eventually(async () => (await standby.sql(done)).length === 1, LIMIT_MILLISECONDS);
    auth = await openAuth((single[0] ?? "").replace(`:${primary.port}/`, `:${standby.port}/`));
  }

  async function expectEnded(withdrawn: ConsentId, kept: ConsentId): Promise<void> {
    const consents = createConsentStore(auth);
    expect(await consents.findActive(withdrawn)).to.equal(undefined);
    expect(await createTokenStore(auth).find({ kind: "RefreshToken", id: withdrawn })).to.equal(undefined);
    expect((await consents.findActive(kept))?.id).to.equal(kept);
  }

  it("keeps every acknowledged ending, as none is acknowledged while the standby is away", async () => {
    const [kept, withdrawn] = [await giveConsent(auth, ["aisp"]), await giveConsent(auth, ["aisp"])];
    await pair.standby.stop("fast");
    expect(isDatabaseUnavailable(await rejectionOf(withdraw(withdrawn)))).to.equal(true);
    await pair.standby.start();
    await untilBothFollow();
    await withdraw(withdrawn);
    await takeOver();
    await expectEnded(withdrawn, kept);
  });

  it("keeps every acknowledged ending, as none is acknowledged while the archive is away", async () => {
    const [kept, withdrawn] = [await giveConsent(auth, ["aisp"]), await giveConsent(auth, ["aisp"])];
    archiving.kill("SIGKILL");
    expect(isDatabaseUnavailable(await rejectionOf(withdraw(withdrawn)))).to.equal(true);
    await takeOver();
    await expectEnded(withdrawn, kept);
  });
});
