import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parsePsuId } from "@cobs/cobs-model";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { TOTP, URI } from "otpauth";
import { createSignInNotices } from "../../../../packages/auth/src/notices/sign-in-notices-postgres.ts";
import {
  type AuthenticatorEnrolment,
  createAuthenticatorEnrolment,
  type EnrolmentDraft,
} from "../../../../packages/auth/src/psu/sandbox/authenticator-enrolment-postgres.ts";
import type { SandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/sandbox-directory.ts";
import { createSandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/sandbox-directory-postgres.ts";
import { seedSandboxDirectory } from "../../../../packages/auth/src/psu/sandbox/seed-sandbox-directory-postgres.ts";
import { readSealingKey } from "../../../../packages/auth/src/sealing/sealing.ts";
import { readableLog } from "../../../support/readable-log.ts";
import { rejectionOf } from "../../../support/rejection.ts";
import { createTestDatabase, PATIENT } from "../../../support/test-databases.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../../packages/auth/migrations", import.meta.url));
const COST = { cost: 1024, blockSize: 8, parallelization: 1 };
const NOW = new Date("2026-07-31T12:00:10Z");
const AT = { now: NOW, requestId: "request-1", language: "cs", authenticatedAt: NOW } as const;
const sealingKey = readSealingKey(new Secret(randomBytes(32).toString("base64url")));
const PASSWORD = "modrá velryba 17";
const CODE = "4071-8825-1930-5562-7743";

describe("The enrolment of an authenticator", () => {
  let database: Database;
  let directory: SandboxDirectory;
  let enrolment: AuthenticatorEnrolment;
  let people = 0;

  before(async () => {
    const url = new Secret(await createTestDatabase());
    const { log } = readableLog();
    await migrateDatabase({ url, directory: MIGRATIONS, log });
    database = openDatabase({ url, maxConnections: 16, applicationName: "test", log, timeLimits: PATIENT });
    directory = createSandboxDirectory(database, sealingKey, COST);
    const notices = createSignInNotices(({ change }) => change.kind);
    enrolment = createAuthenticatorEnrolment(database, { sealingKey, issuer: "Sandbox Bank", notices });
  });

  after(() => database.close());

  /** Somebody who has a password and an activation code. */
  async function newcomer(activationCode = CODE): Promise<string> {
    people += 1;
    const username = `newcomer-${people}`;
    const person = { psuId: `psu-${username}`, username, displayName: username, password: PASSWORD };
    await seedSandboxDirectory(database, [{ ...person, activationCode }], sealingKey, COST);
    return username;
  }

  const enter = (username: string, oneTimeCode: string, { now = NOW, password = PASSWORD } = {}) =>
    directory.signIn({ username, password, oneTimeCode }, { now, device: undefined });

  async function draftOf(username: string): Promise<EnrolmentDraft> {
    const entered = await enter(username, CODE);
    if (entered.outcome !== "activated") throw new Error(`it is ${entered.outcome}`);
    return enrolment.draft(entered.psu, entered.activation);
  }

  async function codeOf(draft: EnrolmentDraft, now = NOW): Promise<string> {
    const { uri } = await enrolment.show(draft);
    const totp = URI.parse(uri);
    if (!(totp instanceof TOTP)) throw new Error("it is no TOTP");
    return totp.generate({ timestamp: now.getTime() });
  }

  it("gives the app's secret for a password and an activation code, in a URI that names the bank", async () => {
    const username = await newcomer();
    const draft = await draftOf(username);
    const { uri, secret } = await enrolment.show(draft);
    expect(uri).to.match(/^otpauth:\/\/totp\/Sandbox%20Bank:newcomer-\d+\?issuer=Sandbox%20Bank&secret=/);
    expect(uri).to.contain(secret);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
  });

  it("takes an activation code with spaces or nothing in place of dashes", async () => {
    const username = await newcomer();
    expect((await enter(username, "4071 8825 1930 55627743")).outcome).to.equal("activated");
  });

  it("gives one answer to a wrong password, a wrong code, another PSU's code and an unknown username (RTS Article 4(3)(a))", async () => {
    const username = await newcomer();
    const outcomes = [
      await enter(username, CODE, { password: "wrong" }),
      await enter(username, "4071-8825-1930-5562-7744"),
      await enter(username, "000000"),
      await enter(await newcomer("5183-9936-2041-6673-8854"), CODE),
    ];
    for (const { outcome } of outcomes) expect(outcome).to.equal("refused");
    expect((await enter("nobody", CODE)).outcome).to.equal("refused");
  });

  it("takes effect with the first code of its own app, which uses up that code and the activation code", async () => {
    const username = await newcomer();
    const draft = await draftOf(username);
    const code = await codeOf(draft);
    expect(await enrolment.confirm(draft, "000000", AT)).to.equal(undefined);
    const anothers = await codeOf(await draftOf(await newcomer()));
    expect(await enrolment.confirm(draft, anothers, AT)).to.equal(undefined);
    expect(await enrolment.confirm(draft, code, AT)).to.have.property("device");
    expect((await enter(username, CODE)).outcome).to.equal("refused");
    expect((await enter(username, code)).outcome).to.equal("refused");
    const now = new Date(NOW.getTime() + 60_000);
    expect((await enter(username, await codeOf(draft, now), { now })).outcome).to.equal("signed-in");
  });

  it("leaves the device known to the PSUs who have signed in there before", async () => {
    const enrol = async (username: string, device: string | undefined) => {
      const draft = await draftOf(username);
      const confirmed = await enrolment.confirm(draft, await codeOf(draft), { ...AT, device });
      if (typeof confirmed !== "object") throw new Error(`it is ${confirmed}`);
      return { draft, device: confirmed.device };
    };
    const username = await newcomer();
    const { draft, device } = await enrol(username, undefined);
    const both = (await enrol(await newcomer(), device)).device;
    for (let tries = 0; tries < 5; tries += 1) await enter(username, "000000", { password: "wrong" });
    const now = new Date(NOW.getTime() + 60_000);
    const typed = { username, password: PASSWORD, oneTimeCode: await codeOf(draft, now) };
    expect((await directory.signIn(typed, { now, device: undefined })).outcome).to.equal("blocked");
    expect((await directory.signIn(typed, { now, device: both })).outcome).to.equal("signed-in");
  });

  it("succeeds once, of 29 answers at once to one draft and to several of one code", async () => {
    const username = await newcomer();
    const one = await draftOf(username);
    const drafts = [
      ...Array(25).fill(one),
      ...(await Promise.all(Array.from({ length: 4 }, () => draftOf(username)))),
    ];
    const confirmed = await Promise.all(
      drafts.map(async (draft) => enrolment.confirm(draft, await codeOf(draft), AT)),
    );
    expect(confirmed.filter((each) => each !== undefined)).to.have.length(1);
  });

  it("refuses another app after thirty changes in an hour, but never the first one", async () => {
    const username = await newcomer();
    const first = await draftOf(username);
    const text = `INSERT INTO psu_notice (id, psu_id, kind, language, text, request_id, occurred_at)
      SELECT gen_random_uuid(), $1, 'authenticator_enrolled', 'cs', '', '', $2 FROM generate_series(1, 30)`;
    await database.run({ name: "thirty", text, values: [first.psu, NOW] });
    expect(await enrolment.confirm(first, await codeOf(first), AT)).to.have.property("device");
    const second = enrolment.draft(first.psu);
    expect(await enrolment.confirm(second, "000000", AT)).to.equal(undefined);
    expect(await enrolment.confirm(second, await codeOf(second), AT)).to.equal("too_often");
    const now = new Date(NOW.getTime() + 3_600_000);
    const later = { ...AT, now };
    expect(await enrolment.confirm(second, await codeOf(second, now), later)).to.have.property("device");
  });

  it("replaces the first app by another one, whereupon codes of the first are refused", async () => {
    const username = await newcomer();
    const first = await draftOf(username);
    await enrolment.confirm(first, await codeOf(first), AT);
    const second = enrolment.draft(first.psu);
    const now = new Date(NOW.getTime() + 60_000);
    const answers = Array.from({ length: 25 }, async () =>
      enrolment.confirm(second, await codeOf(second, now), { ...AT, now }),
    );
    expect((await Promise.all(answers)).filter((each) => each !== undefined)).to.have.length(1);
    const later = new Date(now.getTime() + 60_000);
    expect((await enter(username, await codeOf(first, later), { now: later })).outcome).to.equal("refused");
    expect((await enter(username, await codeOf(second, later), { now: later })).outcome).to.equal(
      "signed-in",
    );
  });

  it("replaces no app that the bank has taken away, and then uses up no activation code", async () => {
    const username = await newcomer();
    const first = await draftOf(username);
    await enrolment.confirm(first, await codeOf(first), AT);
    const second = enrolment.draft(first.psu);
    const text =
      "UPDATE sandbox_psu SET sealed_totp_secret = NULL, activation_hash = sha256($2::text::bytea) WHERE psu_id = $1";
    await database.run({ name: "take-away", text, values: [first.psu, CODE.replaceAll("-", "")] });
    expect(await enrolment.confirm(second, await codeOf(second), AT)).to.equal(undefined);
    expect((await enter(username, CODE)).outcome).to.equal("activated");
  });

  it("shows a draft to its own PSU alone", async () => {
    const draft = await draftOf(await newcomer());
    await rejectionOf(enrolment.show({ ...draft, psu: parsePsuId("psu-other") }));
  });

  it("is recorded in the audit log, without any secret", async () => {
    const username = await newcomer();
    const draft = await draftOf(username);
    await enrolment.confirm(draft, await codeOf(draft), AT);
    const text = "SELECT actor, details::text AS details FROM audit_entry WHERE action = $1 AND subject = $2";
    const values = ["authenticator.enrolled", draft.psu];
    const rows = await database.run<{ actor: string; details: string }>({ name: "audit", text, values });
    expect(rows.map(({ actor, details }) => [actor, JSON.parse(details)])).to.deep.equal([
      [draft.psu, { first: true }],
    ]);
  });
});
