import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import { type Database, migrateDatabase, openDatabase, Secret, systemClock } from "@cobs/service-edge";
import { expect } from "chai";
import { TOTP } from "otpauth";
import type {
  AttemptOutcome,
  SandboxDirectory,
  SignInAttempt,
} from "../../../../packages/auth/src/psu/sandbox/sandbox-directory.ts";
import { createSandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/sandbox-directory-postgres.ts";
import { seedSandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/seed-sandbox-directory-postgres.ts";
import { createPsuBlocks } from "../../../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { readSealingKey } from "../../../../packages/auth/src/sealing/sealing.ts";
import { readableLog } from "../../../support/readable-log.ts";
import { createTestDatabase, PATIENT } from "../../../support/test-databases.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../../packages/auth/migrations", import.meta.url));
const NOW = new Date("2026-07-31T12:00:10Z");
const MINUTE = 60_000;
/** Cheap, so that tests with many tries are quick. */
const COST = { cost: 1024, blockSize: 8, parallelization: 1 };
const sealingKey = readSealingKey(new Secret(randomBytes(32).toString("base64url")));

const jana = {
  psuId: "psu-jana",
  username: "Jana",
  displayName: "Jana Nováková",
  password: "modrá velryba 17",
  totpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
};
const eva = { ...jana, psuId: "psu-eva", username: "eva" };
const petr = { ...jana, psuId: "psu-petr", username: "petr", totpSecret: "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU" };

function codeAt(time: Date, psu = jana): string {
  return new TOTP({ secret: psu.totpSecret }).generate({ timestamp: time.getTime() });
}

function later(minutes: number): Date {
  return new Date(NOW.getTime() + minutes * MINUTE);
}

describe("The sandbox directory of PSUs", () => {
  let database: Database;
  let directory: SandboxDirectory;

  before(async () => {
    const url = new Secret(await createTestDatabase());
    const { log } = readableLog();
    await migrateDatabase({ url, directory: MIGRATIONS, log });
    database = openDatabase({ url, maxConnections: 16, applicationName: "test", log, timeLimits: PATIENT });
    await seedSandboxDirectory(database, [jana, petr, eva], sealingKey, COST);
    directory = createSandboxDirectory(database, sealingKey, COST);
  });

  beforeEach(async () => {
    await database.run({ name: "reset-steps", text: "UPDATE sandbox_psu SET last_step = 0", values: [] });
    await database.run({ name: "reset-failures", text: "DELETE FROM sandbox_sign_in_failure", values: [] });
  });

  after(() => database.close());

  const attempt = (
    now: Date,
    { device, ...change }: Partial<SignInAttempt & { device: string | undefined }> = {},
  ) =>
    directory.signIn(
      { username: "jana", password: jana.password, oneTimeCode: codeAt(now), ...change },
      { now, device },
    );
  const failTimes = async (times: number, time: Date, username = "jana") => {
    const outcomes: AttemptOutcome[] = [];
    for (let index = 0; index < times; index += 1) {
      outcomes.push(await attempt(time, { username, oneTimeCode: "000000", password: "wrong" }));
    }
    return outcomes.map(({ outcome }) => outcome);
  };

  it("signs a PSU in with both factors, ignoring case, spaces and dashes", async () => {
    const code = codeAt(NOW);
    const oneTimeCode = `${code.slice(0, 3)} -${code.slice(3)}`;
    expect(await attempt(NOW, { username: "  JANA ", oneTimeCode })).to.include({
      outcome: "signed-in",
      psu: parsePsuId(jana.psuId),
    });
  });

  it("accepts the code of one step before and after, and no further (RFC 6238 section 5.2)", async () => {
    for (const [minutes, outcome] of [
      [-1, "refused"],
      [-0.5, "signed-in"],
      [0.5, "signed-in"],
      [1, "refused"],
    ] as const) {
      expect((await attempt(NOW, { oneTimeCode: codeAt(later(minutes)) })).outcome).to.equal(outcome);
    }
  });

  it("gives one answer to every wrong factor and to an unknown username (RTS Article 4(3)(a))", async () => {
    const outcomes = [
      await attempt(NOW, { password: "wrong" }),
      await attempt(NOW, { oneTimeCode: codeAt(NOW) === "000000" ? "000001" : "000000" }),
      await attempt(NOW, { oneTimeCode: "" }),
      await attempt(NOW, { username: "nobody" }),
      await attempt(NOW, { username: "petr" }),
      await attempt(NOW, { password: "x".repeat(10_000) }),
    ];
    for (const { outcome } of outcomes) expect(outcome).to.equal("refused");
  });

  it("refuses NUL, full-width digits and lone surrogates like wrong input", async () => {
    const fullWidth = codeAt(NOW).replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    const strange = [{ username: "ja\0na" }, { oneTimeCode: fullWidth }, { oneTimeCode: "\ud800" }];
    for (const change of strange) expect((await attempt(NOW, change)).outcome).to.equal("refused");
  });

  it("hashes a password even for an unknown username, so that time does not tell who exists", async () => {
    const slow = createSandboxDirectory(database, sealingKey, {
      cost: 32_768,
      blockSize: 8,
      parallelization: 3,
    });
    // Of the processor, whichever thread hashes: how long the database takes for both, depends on its disk.
    const duration = async (username: string) => {
      const before = process.cpuUsage();
      await slow.signIn({ username, password: "wrong", oneTimeCode: "" }, { now: NOW, device: undefined });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // The least of several attempts, because garbage of earlier tests may be collected in any of them.
    const leastDuration = async (username: string) =>
      Math.min(await duration(username), await duration(username), await duration(username));
    expect(await leastDuration("nobody")).to.be.greaterThan(3 * (await leastDuration("jana")));
  });

  it("hashes a password with 16 MiB by default, and stores the cost with each", async () => {
    const zdena = { ...jana, psuId: "psu-zdena", username: "zdena" };
    await seedSandboxDirectory(database, [zdena], sealingKey);
    const rows = await database.run({
      name: "costs",
      text: "SELECT psu_id, scrypt_cost * scrypt_block_size * 128 AS bytes FROM sandbox_psu ORDER BY psu_id",
      values: [],
    });
    expect(rows).to.deep.include.members([
      { psu_id: "psu-jana", bytes: 1_048_576 },
      { psu_id: "psu-zdena", bytes: 16_777_216 },
    ]);
    expect((await attempt(NOW, { username: "zdena" })).outcome).to.equal("signed-in");
  });

  it("takes a one-time code once: of 50 parallel sign-ins one succeeds (RTS Article 4(1))", async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => attempt(NOW)));
    expect(outcomes.filter(({ outcome }) => outcome === "signed-in")).to.have.length(1);
  });

  it("refuses a used code, and one older than the last used", async () => {
    expect((await attempt(NOW)).outcome).to.equal("signed-in");
    expect((await attempt(NOW)).outcome).to.equal("refused");
    expect((await attempt(NOW, { oneTimeCode: codeAt(later(-0.5)) })).outcome).to.equal("refused");
    expect((await attempt(later(0.5))).outcome).to.equal("signed-in");
  });

  it("does not use up a code with a wrong password", async () => {
    expect((await attempt(NOW, { password: "wrong" })).outcome).to.equal("refused");
    expect((await attempt(NOW)).outcome).to.equal("signed-in");
  });

  it("blocks for five minutes after five failures in a row, even for the right factors (RTS Article 4(3)(b))", async () => {
    expect(await failTimes(5, NOW)).to.deep.equal(Array(5).fill("refused"));
    const psu = parsePsuId(jana.psuId);
    expect(await attempt(NOW)).to.deep.equal({ outcome: "blocked", until: later(5), psu });
    expect((await attempt(later(4.9))).outcome).to.equal("blocked");
    expect((await attempt(later(5))).outcome).to.equal("signed-in");
  });

  it("counts right passkey proofs of a PSU whom the bank has blocked as failures, to reveal nothing", async () => {
    const psu = parsePsuId("psu-petr");
    const proveOften = async (who: PsuId) => {
      const proof = { name: who, known: undefined, findNamed: async () => who, prove: async () => who };
      const outcomes: string[] = [];
      for (let index = 0; index < 6; index += 1)
        outcomes.push((await directory.signInWithProof(proof, { now: NOW, device: undefined })).outcome);
      return outcomes;
    };
    const blocks = createPsuBlocks(database, systemClock);
    const act = {
      actor: { kind: "operator", name: "test", certificate: undefined },
      requestId: undefined,
    } as const;
    await blocks.block({ psu, reason: "fraud" }, act);
    const [ofBlocked, ofAnother] = [await proveOften(psu), await proveOften(parsePsuId(jana.psuId))];
    await blocks.release(psu, act);
    expect(ofBlocked).to.deep.equal([...Array(5).fill("signed-in"), "blocked"]);
    expect(ofAnother).to.deep.equal(Array(6).fill("signed-in"));
  });

  it("blocks an unknown username in the same way", async () => {
    await failTimes(5, NOW, "nobody");
    expect(await attempt(NOW, { username: "nobody" })).to.deep.equal({ outcome: "blocked", until: later(5) });
  });

  it("tells the audit log which PSU an attempt was for, before and during a block", async () => {
    for (const outcome of [...Array(5).fill("refused"), "blocked"])
      expect(await attempt(NOW, { password: "wrong" })).to.include({ outcome, psu: jana.psuId });
    expect(await attempt(NOW, { username: "nobody" })).to.deep.equal({ outcome: "refused" });
  });

  it("evaluates at most five of 50 parallel guesses", async () => {
    const guesses = Array.from({ length: 50 }, () => attempt(NOW, { password: "wrong" }));
    const refused = (await Promise.all(guesses)).filter(({ outcome }) => outcome === "refused");
    expect(refused).to.have.length(5);
  });

  it("does not extend a block by tries during it, and blocks for at most an hour", async () => {
    await failTimes(20, NOW);
    expect((await attempt(later(5))).outcome).to.equal("signed-in");
    let time = NOW;
    let longest = 0;
    for (let round = 0; round < 6; round += 1) {
      await failTimes(5, time);
      const blocked = await attempt(time);
      if (blocked.outcome !== "blocked") throw new Error("not blocked");
      longest = Math.max(longest, blocked.until.getTime() - time.getTime());
      time = blocked.until;
    }
    expect(longest).to.equal(60 * MINUTE);
  });

  it("forgets failures after a successful sign-in and after a day", async () => {
    await failTimes(4, NOW);
    expect((await attempt(NOW)).outcome).to.equal("signed-in");
    await failTimes(4, later(1));
    expect((await attempt(later(1))).outcome).to.equal("signed-in");
    await failTimes(4, later(2));
    await failTimes(1, later(2 + 24 * 60 + 1));
    expect((await attempt(later(2 + 24 * 60 + 1))).outcome).to.equal("signed-in");
  });

  it("remembers failures for a day, whoever else fails meanwhile", async () => {
    await failTimes(3, NOW);
    await failTimes(1, later(23 * 60), "somebody");
    await failTimes(2, later(23 * 60));
    expect((await attempt(later(23 * 60))).outcome).to.equal("blocked");
  });

  it("does not let one PSU's failures block another", async () => {
    await failTimes(5, NOW);
    expect((await attempt(NOW, { username: "petr", oneTimeCode: codeAt(NOW, petr) })).outcome).to.equal(
      "signed-in",
    );
  });

  it("counts failures on a device known to the PSU separately, so that strangers do not block it", async () => {
    const device = markOf(await attempt(NOW));
    await failTimes(5, later(1));
    expect((await attempt(later(1))).outcome).to.equal("blocked");
    expect((await attempt(later(1), { device })).outcome).to.equal("signed-in");
    expect((await attempt(later(2))).outcome).to.equal("blocked");
  });

  it("blocks a known device after five failures of its own, and the PSU nowhere else", async () => {
    const device = markOf(await attempt(NOW));
    for (let tries = 0; tries < 5; tries += 1) await attempt(later(1), { device, password: "wrong" });
    expect((await attempt(later(1), { device })).outcome).to.equal("blocked");
    expect((await attempt(later(1))).outcome).to.equal("signed-in");
  });

  it("counts failures separately for each of several PSUs who use one device", async () => {
    const petrs = (time: Date, device: string | undefined) =>
      attempt(time, { username: "petr", oneTimeCode: codeAt(time, petr), device });
    const device = markOf(await petrs(NOW, markOf(await attempt(NOW))));
    await failTimes(5, later(1));
    await failTimes(5, later(1), "petr");
    const first = await attempt(later(1), { device });
    expect(first.outcome).to.equal("signed-in");
    expect((await petrs(later(1), markOf(first))).outcome).to.equal("signed-in");
    for (let tries = 0; tries < 5; tries += 1) await attempt(later(2), { device, password: "wrong" });
    expect((await attempt(later(2), { device })).outcome).to.equal("blocked");
    expect((await petrs(later(2), device)).outcome).to.equal("signed-in");
  });

  it("leaves a device known to its other PSUs when one of them signs in with a passkey", async () => {
    const device = markOf(await attempt(NOW));
    const who = parsePsuId(petr.psuId);
    const proof = { name: "key", known: undefined, findNamed: async () => who, prove: async () => who };
    const both = markOf(await directory.signInWithProof(proof, { now: NOW, device }));
    await failTimes(5, later(1));
    expect((await attempt(later(1), { device: both })).outcome).to.equal("signed-in");
  });

  it("takes the mark of a device for its own PSU alone, and not when altered", async () => {
    const device = markOf(await attempt(NOW));
    await failTimes(5, NOW, "petr");
    const wrong = [device, `${device}x`, device.replace(/^./, (letter) => (letter === "A" ? "B" : "A")), ""];
    for (const mark of wrong) {
      const petrs = { username: "petr", oneTimeCode: codeAt(NOW, petr), device: mark };
      expect((await attempt(NOW, petrs)).outcome).to.equal("blocked");
    }
  });

  it("deletes failures of the past from the table", async () => {
    await failTimes(1, NOW, "nobody");
    await failTimes(1, later(24 * 60 + 1), "somebody");
    const rows = await database.run({
      name: "count",
      text: "SELECT FROM sandbox_sign_in_failure",
      values: [],
    });
    expect(rows).to.have.length(1);
  });

  it("keeps no password, TOTP secret or typed username in readable form", async () => {
    await failTimes(1, NOW, "a password in the wrong field");
    const tables = ["sandbox_psu", "sandbox_sign_in_failure"];
    const rows = await Promise.all(
      tables.map((table) =>
        database.run<object>({ name: table, text: `SELECT * FROM ${table}`, values: [] }),
      ),
    );
    const kept = rows.flat().flatMap((row) => Object.values(row).map(bytesOf));
    const secret = new TOTP({ secret: jana.totpSecret }).secret;
    const secrets = [jana.password, jana.totpSecret, Buffer.from(secret.bytes), "a password in the wrong"];
    for (const plain of secrets) expect(kept.some((value) => value.includes(plain))).to.equal(false);
  });

  it("opens a sealed secret for its owner alone", async () => {
    await database.run({
      name: "swap",
      text: `UPDATE sandbox_psu SET sealed_totp_secret =
        (SELECT sealed_totp_secret FROM sandbox_psu WHERE psu_id = 'psu-jana') WHERE psu_id = 'psu-eva'`,
      values: [],
    });
    const opened = await attempt(NOW, { username: "eva" }).catch((error: Error) => error);
    expect(opened).to.be.instanceOf(Error);
  });

  it("leaves a PSU as it is when it is seeded again, and finds nobody who is unknown", async () => {
    await seedSandboxDirectory(database, [{ ...jana, password: "another" }], sealingKey);
    expect((await attempt(NOW)).outcome).to.equal("signed-in");
    expect(await directory.find(parsePsuId(jana.psuId))).to.deep.equal({
      id: jana.psuId,
      displayName: jana.displayName,
    });
    expect(await directory.find(parsePsuId("psu-nobody"))).to.equal(undefined);
  });
});

function markOf(outcome: AttemptOutcome): string {
  if (outcome.outcome !== "signed-in") throw new Error(`it is ${outcome.outcome}`);
  return outcome.device;
}

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value));
}
