import { parsePsuId } from "@cobs/cobs-model";
import type { Database, Repeat, Round } from "@cobs/service-edge";
import { expect } from "chai";
import type { Act } from "../../packages/auth/src/audit/act.ts";
import { type ConsentId, createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createConsentSearch } from "../../packages/auth/src/consent/consent-search-postgres.ts";
import { writeUses } from "../../packages/auth/src/consent/consent-uses-postgres.ts";
import {
  EXPIRY_BATCH_CONSENTS,
  expireConsents,
} from "../../packages/auth/src/consent/expire-consents-postgres.ts";
import { startNotingUses } from "../../packages/auth/src/consent/note-uses.ts";
import { createPsuConsents } from "../../packages/auth/src/consent/psu-consents-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/provider/token-store-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo, PSU } from "./sample-consent.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";
import { psuAct } from "./test-acts.ts";

const DAY = 86_400_000;
const ACT: Act = { actor: { kind: "server", part: "consent expiry" }, requestId: undefined };

describe("Consents whose time is over", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
    await storeTpp(databases[0]);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const query = async <Row>(text: string, values: readonly unknown[]) =>
    databases[0].run<Row>({ name: "", text, values });

  /** Consents of one PSU to so many applications, whose time is over for `agedDays`. */
  async function give(count: number, agedDays: number, psu = PSU): Promise<readonly ConsentId[]> {
    const store = createConsentStore(databases[0]);
    return Promise.all(
      Array.from({ length: count }, async () => {
        const givenAt = new Date(Date.now() - (180 + agedDays) * DAY);
        const validUntil = new Date(givenAt.getTime() + 180 * DAY);
        const consent = consentTo(await storeApplication(databases[0]), { psu, givenAt, validUntil });
        await store.give(consent, psuAct(psu));
        return consent.id;
      }),
    );
  }

  const events = async (ids: readonly ConsentId[]) =>
    (
      await query<{ key: string }>("SELECT key FROM feed_event WHERE kind = 'consent' AND key = ANY($1)", [
        ids,
      ])
    ).length;
  const entries = async (ids: readonly ConsentId[]) =>
    query<{ actor: string; subject: string; details: string }>(
      "SELECT actor, subject, details FROM audit_entry WHERE action = 'consent.expired' AND subject = ANY($1)",
      [ids],
    );
  async function expireAll(database = databases[0]): Promise<void> {
    while ((await expireConsents(database, ACT)) > 0);
  }

  it("end with state, time, audit entry and event, and without their tokens", async () => {
    const [id] = await give(1, 1);
    if (id === undefined) throw new Error("no consent");
    const tokens = createTokenStore<object>(databases[0]);
    const key = { kind: "RefreshToken", id: "of the consent" };
    await tokens.put(key, {}, { grantId: id, lifetimeSeconds: 60 });
    await expireAll();
    const found = await createConsentSearch(databases[0]).find(id);
    expect(found?.state).to.equal("expired");
    const text = "SELECT ended_at = valid_until AS on_time, ended_by, end_reason FROM consent WHERE id = $1";
    expect(await query(text, [id])).to.deep.equal([
      { on_time: true, ended_by: "server", end_reason: "expired" },
    ]);
    expect(await tokens.find(key)).to.equal(undefined);
    expect(await events([id])).to.equal(1);
    const [entry] = await entries([id]);
    expect(entry).to.include({ actor: "consent expiry", subject: id });
    expect(JSON.parse(entry?.details ?? "")).to.include({
      psu: PSU,
      tpp: OWNER,
      validUntil: found?.validUntil.toISOString(),
    });
  });

  it("end in bounded batches, once each, whichever processes are at it", async () => {
    const ids = await give(EXPIRY_BATCH_CONSENTS + 5, 2);
    expect(await expireConsents(databases[0], ACT)).to.equal(EXPIRY_BATCH_CONSENTS);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => expireAll(databases[index % 2 === 0 ? 0 : 1])),
    );
    await expireAll();
    expect(await events(ids)).to.equal(ids.length);
    expect(await entries(ids)).to.have.length(ids.length);
  });

  it("are ended by one process at a time", async () => {
    await give(3, 1);
    await databases[0].transaction(async (queries) => {
      const text = "SELECT pg_advisory_xact_lock(hashtextextended('consent expiry', 0))";
      await queries.run({ name: "", text, values: [] });
      expect(await expireConsents(databases[1], ACT)).to.equal(0);
    });
    expect(await expireConsents(databases[1], ACT)).to.equal(3);
  });

  it("leave those alone that are in time, or that were withdrawn before", async () => {
    const [active] = await give(1, -1);
    const [withdrawn] = await give(1, -1);
    if (active === undefined || withdrawn === undefined) throw new Error("no consent");
    const store = createConsentStore(databases[0]);
    await store.end(withdrawn, { by: "psu", reason: "withdrawn", act: psuAct() });
    await query("UPDATE consent SET valid_until = now() WHERE id = $1", [withdrawn]);
    await expireAll();
    const search = createConsentSearch(databases[0]);
    expect((await search.find(active))?.state).to.equal("active");
    expect(await search.find(withdrawn)).to.include({ state: "revoked", reason: "withdrawn" });
    expect(await entries([active, withdrawn])).to.deep.equal([]);
  });

  it("are neither ended nor told when their audit entry cannot be written", async () => {
    const [id] = await give(1, 1);
    if (id === undefined) throw new Error("no consent");
    const failing: Act = { actor: { kind: "server", part: "consent expiry" }, requestId: undefined };
    await query(
      "ALTER TABLE audit_entry ADD CONSTRAINT failing CHECK (action <> 'consent.expired') NOT VALID",
      [],
    );
    const failed = await expireConsents(databases[0], failing).then(
      () => false,
      () => true,
    );
    await query("ALTER TABLE audit_entry DROP CONSTRAINT failing", []);
    expect([failed, await events([id])]).to.deep.equal([true, 0]);
    await expireAll();
    expect(await events([id])).to.equal(1);
  });

  it("are listed to their PSU and to operators as expired, and to nobody else", async () => {
    const psu = parsePsuId("psu-of-lists");
    const [over, other] = [await give(12, 1, psu), await give(1, -10, psu)];
    await expireAll();
    const consents = createPsuConsents(databases[0]);
    const first = await consents.list(psu, { active: false, page: 1 });
    expect([first.page, first.pages, first.consents.length]).to.deep.equal([1, 2, 10]);
    const beyond = await consents.list(psu, { active: false, page: 9 });
    expect([beyond.page, beyond.consents.length]).to.deep.equal([2, 2]);
    const active = await consents.list(psu, { active: true, page: 1 });
    expect(active.consents.map(({ consent }) => consent.id)).to.deep.equal(other);
    const another = await consents.list(parsePsuId("psu-of-none"), { active: false, page: 2 });
    expect(another).to.deep.equal({ consents: [], page: 1, pages: 1 });
    const search = createConsentSearch(databases[0]);
    const listed = await search.list({ psu, state: "expired" }, { after: undefined, limit: 20 });
    expect(listed).to.have.length(12);
    const [one] = over;
    if (one === undefined) throw new Error("no consent");
    expect((await consents.find(psu, one))?.tpp.organisationName).to.equal("TPP");
    expect(await consents.find(parsePsuId("somebody"), one)).to.equal(undefined);
  });

  it("are listed to their PSU with others that are over by when they ended, also before that is recorded", async () => {
    const psu = parsePsuId("psu-of-ends");
    const [first, withdrawn, expired, due] = await give(4, -1, psu);
    if (!first || !withdrawn || !expired || !due) throw new Error("no consents");
    const text = `UPDATE consent SET valid_until = now() - $2::interval, given_at = now() - $3::interval WHERE id = $1`;
    await query(text, [first, "3 days", "20 days"]);
    await query(text, [expired, "2 days", "30 days"]);
    await expireAll();
    await query(text, [due, "1 minute", "40 days"]);
    await createConsentStore(databases[0]).end(withdrawn, { by: "psu", reason: "withdrawn", act: psuAct() });
    await query(text, [withdrawn, "-1 days", "50 days"]);
    const { consents } = await createPsuConsents(databases[0]).list(psu, { active: false, page: 1 });
    expect(consents.map(({ consent }) => consent.id)).to.deep.equal([withdrawn, due, expired, first]);
  });

  it("keep the end of an application that is gone", async () => {
    const psu = parsePsuId("psu-of-application");
    const [id] = await give(1, 1, psu);
    if (id === undefined) throw new Error("no consent");
    await query(
      "UPDATE application SET deleted_at = now() WHERE id = (SELECT application_id FROM consent WHERE id = $1)",
      [id],
    );
    const found = await createPsuConsents(databases[0]).find(psu, id);
    expect(found?.application).to.equal(undefined);
  });
});

describe("The last use of a consent", () => {
  let databases: readonly [Database, Database];
  let id: ConsentId;
  before(async () => {
    databases = await twoProcesses();
    await storeTpp(databases[0]);
    const consent = consentTo(await storeApplication(databases[0]));
    id = consent.id;
    await createConsentStore(databases[0]).give(consent, psuAct());
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const lastUse = async () => (await createConsentSearch(databases[0]).find(id))?.lastUsedAt;
  const age = (minutes: number) =>
    databases[0].run({
      name: "",
      text: "UPDATE consent_use SET used_at = used_at - make_interval(mins => $1)",
      values: [minutes],
    });

  it("is unknown at first, then written once a minute at most, whichever processes see uses", async () => {
    expect(await lastUse()).to.equal(undefined);
    await Promise.all(databases.map((database) => writeUses(database, [id])));
    const first = await lastUse();
    expect(first).to.be.instanceOf(Date);
    await writeUses(databases[1], [id]);
    expect(await lastUse()).to.deep.equal(first);
    await age(2);
    await writeUses(databases[1], [id]);
    expect((await lastUse())?.getTime()).to.be.at.least(first?.getTime() ?? Number.POSITIVE_INFINITY);
  });

  it("is noted without waiting, written within seconds, and not lost when the process stops", async () => {
    const { log } = readableLog();
    const clock = movableClock();
    const uses = startNotingUses({ database: databases[0], clock, log });
    await age(10);
    const before = await lastUse();
    for (let times = 0; times < 1_000; times += 1) uses.note(id);
    await eventually(async () => (await lastUse())?.getTime() !== before?.getTime());
    await age(10);
    const aged = await lastUse();
    uses.note(id);
    clock.advance(60_000);
    uses.note(id);
    await uses.stop();
    expect((await lastUse())?.getTime()).to.be.above(aged?.getTime() ?? Number.POSITIVE_INFINITY);
  });

  it("is written of all consents when the process stops, of however many there are", async () => {
    const written: unknown[] = [];
    const run: Database["run"] = async ({ values }) => {
      written.push(...[values[0]].flat());
      return [];
    };
    const database = { ...databases[0], run };
    const uses = startNotingUses({ database, clock: movableClock(), log: readableLog().log });
    const ids = Array.from({ length: 1_200 }, createConsentId);
    for (const each of ids) uses.note(each);
    await uses.stop();
    expect(written).to.have.members(ids);
  });

  it("is written when the database answers again, and reported to nobody meanwhile", async () => {
    const { log, lines } = readableLog();
    const written: unknown[] = [];
    let isAway = true;
    const run: Database["run"] = async ({ values }) => {
      if (isAway) throw new Error("Connection terminated unexpectedly");
      written.push(...[values[0]].flat());
      return [];
    };
    let round: Round | undefined;
    const again: Repeat = (first, fail) => {
      round = (signal) => first(signal).catch(fail);
      return { stop: async () => {} };
    };
    const parts = { database: { ...databases[0], run }, clock: movableClock(), log, again };
    const uses = startNotingUses(parts);
    uses.note(id);
    await round?.(new AbortController().signal);
    expect([written, lines]).to.deep.equal([[], []]);
    isAway = false;
    await uses.stop();
    expect(written).to.deep.equal([id]);
  });

  it("holds nobody up and reports nothing but in the log when it cannot be written", async () => {
    const { log, lines } = readableLog();
    const uses = startNotingUses({ database: databases[0], clock: movableClock(), log });
    uses.note(createConsentId());
    await uses.stop();
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["uses of consents could not be written"]);
  });
});
