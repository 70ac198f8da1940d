import { randomUUID } from "node:crypto";
import { type PsuId, parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import type { OperatorAct } from "../../packages/auth/src/audit/act.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import type { NewConsent } from "../../packages/auth/src/consent/consent-store.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import {
  admitsWhileStoring,
  createPsuBlocks,
} from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { movableClock } from "../support/movable-clock.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo } from "./sample-consent.ts";
import { OWNER, storeTpp } from "./stored-tpp.ts";
import { psuAct } from "./test-acts.ts";

const MANY_CONSENTS = 2_000;

const jana: OperatorAct = {
  actor: { kind: "operator", name: "jana", certificate: undefined },
  requestId: randomUUID(),
};

describe("Blocks of PSUs", function psuBlocks() {
  this.timeout(120_000);
  const clock = movableClock();
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    await storeTpp(databases[0]);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const blocks = (process: 0 | 1 = 0) => createPsuBlocks(databases[process], clock);
  const consents = (process: 0 | 1 = 0) => createConsentStore(databases[process]);
  const newPsu = () => parsePsuId(`psu-${randomUUID()}`);
  const ask = async <Row extends object>(text: string, ...values: readonly unknown[]) =>
    (await databases[1].pool.query<Row>(text, [...values])).rows;

  async function newApplications(count: number): Promise<readonly NewConsent["applicationId"][]> {
    const ids = Array.from({ length: count }, createApplicationId);
    await ask(
      `INSERT INTO application (id, owner, application_type, redirect_uris, client_name, localized_names, scopes,
        secret_hash) SELECT id, $2, 'web', '{}', 'A', '[]', '{aisp}', '' FROM unnest($1::text[]) AS new (id)`,
      ids,
      OWNER,
    );
    return ids;
  }

  const consentOf = (psu: PsuId, applicationId: NewConsent["applicationId"]) =>
    consentTo(applicationId, { psu, givenAt: clock.now() });

  async function newConsent(psu: PsuId): Promise<NewConsent> {
    const [applicationId = createApplicationId()] = await newApplications(1);
    const consent = consentOf(psu, applicationId);
    expect(await consents().give(consent, psuAct())).to.equal(true);
    return consent;
  }

  const activeOf = async (psu: PsuId) =>
    (await ask("SELECT id FROM consent WHERE psu_id = $1 AND ended_at IS NULL", psu)).length;

  it("end the consents of the PSU with their codes and tokens, with one event, and nobody else's", async () => {
    const [psu, another] = [newPsu(), newPsu()];
    const consent = await newConsent(psu);
    const untouched = await newConsent(another);
    const tokens = createTokenStore<object>(databases[0]);
    const keys = ["AuthorizationCode", "AccessToken", "RefreshToken"].map((kind) => ({
      kind,
      id: randomUUID(),
    }));
    for (const key of keys) await tokens.put(key, {}, { grantId: consent.id, lifetimeSeconds: 60 });
    const feed = createFeed(databases[1]);
    const position = await feed.head();
    const outcome = await blocks().block({ psu, reason: "fraud" }, jana);
    expect(outcome).to.deep.include({ result: "blocked", endedConsents: 1 });
    expect(await consents(1).findActive(consent.id)).to.equal(undefined);
    expect(await consents(1).findActive(untouched.id)).not.to.equal(undefined);
    for (const key of keys) expect(await tokens.find(key), key.kind).to.equal(undefined);
    const told = await feed.readAfter({ position, mark: undefined });
    expect(told?.events.map(({ kind, key }) => [kind, key])).to.deep.equal([["psu_blocked", psu]]);
    const [ended] = await consents().history(consent.applicationId, psu);
    expect(ended).to.include({ state: "revoked", endedBy: "bank", reason: "psu_blocked" });
  });

  it("record for each consent that ended whose it was, as every other ending does", async () => {
    const psu = newPsu();
    const { id, applicationId } = await newConsent(psu);
    await blocks().block({ psu, reason: "fraud" }, jana);
    const [entry] = await ask<{ details: string }>(
      "SELECT details FROM audit_entry WHERE subject = $1 AND action = 'consent.ended'",
      id,
    );
    expect(JSON.parse(entry?.details ?? "{}")).to.deep.equal({
      psu,
      application: applicationId,
      tpp: OWNER,
      by: "bank",
      reason: "psu_blocked",
      note: "fraud",
    });
  });

  it("are made once when fifty orders come at once, and the others learn which one holds", async () => {
    const psu = newPsu();
    const order = (_: unknown, at: number) =>
      blocks(at % 2 === 0 ? 0 : 1).block({ psu, reason: `order ${at}` }, jana);
    const outcomes = await Promise.all(Array.from({ length: 50 }, order));
    expect(outcomes.filter(({ result }) => result === "blocked")).to.have.lengthOf(1);
    expect(new Set(outcomes.map(({ block }) => block.reason)).size).to.equal(1);
    const releases = await Promise.all(Array.from({ length: 50 }, () => blocks().release(psu, jana)));
    expect(releases.filter((each) => each !== undefined)).to.have.lengthOf(1);
    expect(await blocks(1).history(psu)).to.have.lengthOf(1);
  });

  it("let no consent be given after them when fifty race with each", async () => {
    for (const delayed of [0, 10, 25, 40]) {
      const psu = newPsu();
      const applications = await newApplications(50);
      const given = applications.map(async (id, at) => {
        const block = at === delayed ? blocks(1).block({ psu, reason: "race" }, jana) : undefined;
        await Promise.all([consents(at % 2 === 0 ? 0 : 1).give(consentOf(psu, id), psuAct()), block]);
      });
      await Promise.all(given);
      expect(await activeOf(psu)).to.equal(0);
      expect(
        await consents().give(consentOf(psu, applications[0] ?? createApplicationId()), psuAct()),
      ).to.equal(false);
    }
  });

  it("invalidate what was authenticated before them, also after the release", async () => {
    const psu = newPsu();
    const [applicationId = createApplicationId()] = await newApplications(1);
    const before = consentOf(psu, applicationId);
    clock.advance(1_000);
    await blocks().block({ psu, reason: "lost phone" }, jana);
    expect(await blocks(1).admits({ psu, authenticatedAt: clock.now() })).to.equal(false);
    clock.advance(1_000);
    await blocks().release(psu, jana);
    expect(await blocks(1).admits(before)).to.equal(false);
    expect(await consents().give(before, psuAct())).to.equal(false);
    clock.advance(1_000);
    expect(await blocks(1).admits({ psu, authenticatedAt: clock.now() })).to.equal(true);
    expect(await consents().give(consentOf(psu, applicationId), psuAct())).to.equal(true);
  });

  it("wait while something is stored for the PSU on a sign-in from before", async () => {
    const psu = newPsu();
    const done: string[] = [];
    const block = async () => {
      await blocks(1).block({ psu, reason: "lost phone" }, jana);
      done.push("blocked");
    };
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    const blocking = await databases[0].transaction(async (queries) => {
      expect(await admitsWhileStoring(queries, { psu, authenticatedAt: clock.now() })).to.equal(true);
      const begun = block();
      await Promise.race([begun, eventually(async () => (await ask(waiting)).length === 1)]);
      done.push("stored");
      return [begun];
    });
    await Promise.all(blocking);
    expect(done).to.deep.equal(["stored", "blocked"]);
  });

  it("hold also when released by a process whose clock is behind, and are listed newest first", async () => {
    const psu = newPsu();
    const behind = { ...clock, now: () => new Date(clock.now().getTime() - 60_000) };
    await blocks().block({ psu, reason: "first" }, jana);
    const authenticatedAt = new Date(clock.now().getTime() - 1_000);
    const ended = await createPsuBlocks(databases[1], behind).release(psu, jana);
    expect(ended?.released?.at).to.deep.equal(ended?.blockedAt);
    expect(await blocks().admits({ psu, authenticatedAt })).to.equal(false);
    await blocks().block({ psu, reason: "second" }, jana);
    expect((await blocks().history(psu)).map(({ reason }) => reason)).to.deep.equal(["second", "first"]);
  });

  it("end with their own release, not with that of another PSU", async () => {
    const [psu, another] = [newPsu(), newPsu()];
    for (const each of [psu, another]) await blocks().block({ psu: each, reason: "fraud" }, jana);
    clock.advance(1_000);
    expect(await blocks().release(psu, jana)).to.include({ psu });
    clock.advance(1_000);
    const admits = (each: PsuId) => blocks(1).admits({ psu: each, authenticatedAt: clock.now() });
    expect([await admits(psu), await admits(another)]).to.deep.equal([true, false]);
    expect((await blocks(1).history(another)).map(({ released }) => released)).to.deep.equal([undefined]);
    const text = "SELECT subject FROM audit_entry WHERE action = 'psu.released' AND subject = ANY ($1)";
    expect(await ask(text, [psu, another])).to.deep.equal([{ subject: psu }]);
  });

  it("revive nothing when they end", async () => {
    const psu = newPsu();
    const consent = await newConsent(psu);
    await blocks().block({ psu, reason: "mistake" }, jana);
    await blocks().release(psu, jana);
    expect(await consents().findActive(consent.id)).to.equal(undefined);
  });

  it("end two thousand consents at once, each with an entry in the audit log", async () => {
    const psu = newPsu();
    const applications = await newApplications(MANY_CONSENTS);
    await ask(
      `INSERT INTO consent (id, application_id, psu_id, version, organisation_identifier, services, account_ids,
        approval_hash, authenticated_at, given_at, valid_until)
      SELECT substr(id, 1, 22), id, $2, 1, $3, '{aisp}', '{a}', convert_to(id, 'UTF8'), now(), now(), now() + interval '1 day'
      FROM unnest($1::text[]) AS new (id)`,
      applications,
      psu,
      OWNER,
    );
    await ask(
      `INSERT INTO token (kind, id_hash, grant_id, payload, expires_at)
      SELECT 'AccessToken', sha256(convert_to(id, 'UTF8')), id, '{}', now() + interval '1 day' FROM consent
      WHERE psu_id = $1`,
      psu,
    );
    const outcome = await blocks().block({ psu, reason: "death" }, jana);
    expect(outcome).to.deep.include({ result: "blocked", endedConsents: MANY_CONSENTS });
    expect(await activeOf(psu)).to.equal(0);
    const left = await ask("SELECT kind FROM token JOIN consent ON id = grant_id WHERE psu_id = $1", psu);
    expect(left).to.have.lengthOf(0);
    const entries = await ask<{ subject: string }>(
      `SELECT subject FROM audit_entry WHERE action = 'consent.ended' AND request_id = $1
        AND details::jsonb ->> 'psu' = $2`,
      jana.requestId,
      psu,
    );
    expect(entries).to.have.lengthOf(MANY_CONSENTS);
  });

  it("are recorded in the audit log with who ordered them, and so is their release", async () => {
    const psu = newPsu();
    await blocks().block({ psu, reason: "fraud case 7" }, jana);
    await blocks().block({ psu, reason: "again" }, jana);
    await blocks().release(psu, jana);
    const entries = await ask<{ action: string; actor: string; details: string }>(
      "SELECT action, actor, details FROM audit_entry WHERE subject = $1 ORDER BY id",
      psu,
    );
    expect(entries).to.deep.equal([
      { action: "psu.blocked", actor: "jana", details: '{"endedConsents":0,"note":"fraud case 7"}' },
      { action: "psu.released", actor: "jana", details: "{}" },
    ]);
  });
});
