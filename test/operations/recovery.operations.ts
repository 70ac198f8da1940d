import { PassThrough } from "node:stream";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { Client } from "pg";
import { runAfterRestore } from "../../packages/auth/src/after-restore/run-after-restore.ts";
import { checkAudit } from "../../packages/auth/src/audit/check-audit-postgres.ts";
import { sealBatch } from "../../packages/auth/src/audit/seal-audit-postgres.ts";
import type { ConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { createRateLimitsInPostgres } from "../../packages/auth/src/limits/rate-limit-store-postgres.ts";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import type { PaymentTerms } from "../../packages/resource/src/payments/payment.ts";
import { PSU } from "../contracts/sample-consent.ts";
import { storeTpp } from "../contracts/stored-tpp.ts";
import { psuAct } from "../contracts/test-acts.ts";
import { openMigratedDatabase } from "../resource/bank/migrated-database.ts";
import { type OrderScene, setOrderScene } from "../resource/bank/orders/order-bank.ts";
import {
  aheadClock,
  approvedPayment,
  executeDuePayments,
  executingProcess,
  letPausesPass,
  sandboxOf,
} from "../resource/execution/executing-scene.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { createTestDatabase, PATIENT } from "../support/test-databases.ts";
import { giveConsent } from "./given-consent.ts";
import { type RecoverablePostgres, startRecoverablePostgres } from "./recoverable-postgres.ts";
import { takeBalanceCheck } from "./taken-balance-check.ts";

const LIMIT_MILLISECONDS = 30_000;
/** Codes that are used after the base backup. */
const COMMITS = 50;

describe("Both services after PostgreSQL was recovered from a base backup and its WAL", function recovery() {
  this.timeout(300_000);
  const clock = aheadClock();
  let server: RecoverablePostgres;
  let [core, auth, resource]: Database[] = [];
  let scene: OrderScene;
  let sandbox: ReturnType<typeof sandboxOf>;
  let [kept, withdrawn]: ConsentId[] = [];
  let codes: readonly ConsentId[];
  let cursor: { readonly position: number; readonly mark: string | undefined };
  let [early, late]: PaymentTerms[] = [];
  let lastNumber: bigint;
  /** Of before something ended. */
  let moment: string;

  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new TypeError("it is not there yet");
    return value;
  };
  const ask = <Row>(database: Database | undefined, text: string, values: readonly unknown[] = []) =>
    there(database).run<Row>({ name: "", text, values });

  async function openAuth(): Promise<Database> {
    const [url, { log }] = [new Secret(await server.open("auth")), readableLog()];
    await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    return openDatabase({ url, maxConnections: 8, applicationName: "test", log, timeLimits: PATIENT });
  }

  const answerBalanceCheck = () => takeBalanceCheck(there(resource));

  const partsOf = () => executingProcess(there(resource), { bank: sandbox.bank, clock }).parts;

  /** What no later copy has: a consent that is taken back, codes that are used, a payment before the bank, a number. */
  async function goOnAfterTheBackup(): Promise<void> {
    const [consents, tokens] = [createConsentStore(there(auth)), createTokenStore(there(auth))];
    codes = await Promise.all(Array.from({ length: COMMITS }, () => giveConsent(there(auth), ["aisp"])));
    await Promise.all(codes.map((id) => tokens.redeem({ kind: "AuthorizationCode", id }, [])));
    late = await approvedPayment(there(resource), scene);
    await executeDuePayments(partsOf());
    lastNumber = await answerBalanceCheck();
    [{ moment } = { moment: "" }] = await ask<{ moment: string }>(auth, "SELECT now()::text AS moment");
    await sealBatch(there(auth));
    await consents.end(there(withdrawn), { by: "psu", reason: "withdrawn", act: psuAct(PSU) });
    const heard = await createFeed(there(auth)).readAfter({ position: 0, mark: undefined });
    const last = heard?.events.at(-1);
    cursor = { position: last?.position ?? -1, mark: last?.mark };
  }

  before(async () => {
    server = await startRecoverablePostgres();
    core = await openMigratedDatabase(await createTestDatabase());
    resource = await openMigratedDatabase(await server.open("resource"));
    auth = await openAuth();
    scene = await setOrderScene(core);
    sandbox = sandboxOf(core);
    await sandbox.settling.stop();
    await storeTpp(auth);
    [kept, withdrawn] = [await giveConsent(auth, ["aisp"]), await giveConsent(auth, ["aisp", "pisp"])];
    early = await approvedPayment(resource, scene);
    server.takeBaseBackup();
    await goOnAfterTheBackup();
    await server.lose();
    await Promise.all([auth.close(), resource.close()]);
    await server.recover();
    [auth, resource] = [await openAuth(), await openMigratedDatabase(await server.open("resource"))];
  });
  after(async () => {
    await sandbox?.settling.stop();
    await Promise.all([core, auth, resource].map((database) => database?.close()));
    await server?.close();
  });

  it("keep every ended consent ended, up to the last one, without further work", async () => {
    const consents = createConsentStore(there(auth));
    expect(await consents.findActive(there(withdrawn))).to.equal(undefined);
    expect((await consents.findActive(there(kept)))?.id).to.equal(kept);
    expect(await createTokenStore(there(auth)).find({ kind: "AccessToken", id: there(withdrawn) })).to.equal(
      undefined,
    );
  });

  it("refuse codes that were used before", async () => {
    const tokens = createTokenStore(there(auth));
    const used = await Promise.all(codes.map((id) => tokens.redeem({ kind: "AuthorizationCode", id }, [])));
    expect(used).to.deep.equal(codes.map(() => false));
  });

  it("let feed readers go on from what they read last, and keep the audit log intact", async () => {
    expect((await createFeed(there(auth)).readAfter(cursor))?.events).to.deep.equal([]);
    await sealBatch(there(auth));
    expect((await checkAudit(there(auth))).broken).to.equal(undefined);
  });

  it("start rate limits anew, whose table is not in the WAL", async () => {
    const bucket = { name: "a", perMinute: 1 };
    const limits = createRateLimitsInPostgres(there(auth));
    expect(await limits.pour([bucket])).to.deep.equal([]);
    expect(await limits.pour([bucket])).to.have.length(1);
  });

  it("never reuse the number of a balance check (COBS 3.3.3)", async () => {
    expect(await answerBalanceCheck()).to.not.equal(lastNumber);
  });

  it("lose endings after an earlier recovery target until the operator's command ends them again", async () => {
    const DATABASE_URL = await server.recoverUntil(moment, "auth");
    const earlier = new Client({ connectionString: DATABASE_URL });
    await earlier.connect();
    const active = async () =>
      (await earlier.query("SELECT id FROM consent WHERE ended_at IS NULL AND id = $1", [withdrawn]))
        .rowCount;
    expect(await active()).to.equal(1);
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const commandLine = ["--by", "an operator", "--reason", "a recovery to a moment"];
    const program = { environment: { DATABASE_URL }, commandLine, stdout, stderr };
    expect(await runAfterRestore(program), String(stderr.read() ?? "")).to.equal(0);
    expect(await active()).to.equal(0);
    await earlier.end();
  });

  it("execute each payment once, from before and after the base backup", async () => {
    sandbox = sandboxOf(there(core));
    const parts = partsOf();
    await eventually(async () => {
      await executeDuePayments(parts);
      await letPausesPass(there(resource));
      return (await ask(resource, "SELECT FROM payment WHERE state = 'completed'")).length === 2;
    }, LIMIT_MILLISECONDS);
    for (const payment of [early, late]) {
      const text = "SELECT FROM sandbox_entry WHERE booking_id = $1 AND account_id = $2";
      expect(await ask(core, text, [payment?.id, scene.payer.id])).to.have.length(1);
    }
  });
});
