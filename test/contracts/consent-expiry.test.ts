import { parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { Act } from "../../packages/auth/src/audit/act.ts";
import type { ConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createConsentSearch } from "../../packages/auth/src/consent/consent-search-postgres.ts";
import {
  EXPIRY_BATCH_CONSENTS,
  expireConsents,
} from "../../packages/auth/src/consent/expire-consents-postgres.ts";
import { createPsuConsents } from "../../packages/auth/src/consent/psu-consents-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
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
    for (const tpp of [parseOrganisationIdentifier("PSDCZ-CNB-2"), OWNER]) await storeTpp(databases[0], tpp);
    await query("UPDATE tpp SET organisation_name = 'TPP of consents' WHERE organisation_identifier = $1", [
      OWNER,
    ]);
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

  it("end with state, time, audit entry and event, and lose their tokens", async () => {
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

  it("end in bounded batches, once each, whichever processes work on them", async () => {
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

  it("leave consents alone that are in time or were withdrawn before", async () => {
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

  it("neither end nor cause an event when their audit entry cannot be written", async () => {
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

  it("are listed as expired for their PSU and operators, and for nobody else", async () => {
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
    expect(active.consents.map(({ tpp }) => tpp.organisationIdentifier)).to.deep.equal([OWNER]);
    await give(11, -10, parsePsuId("psu-of-many"));
    for (const active of [true, false]) {
      const ofNone = await consents.list(parsePsuId("psu-of-none"), { active, page: 2 });
      expect(ofNone).to.deep.equal({ consents: [], page: 1, pages: 1 });
    }
    const search = createConsentSearch(databases[0]);
    const listed = await search.list({ psu, state: "expired" }, { after: undefined, limit: 20 });
    expect(listed).to.have.length(12);
    const [one] = over;
    if (one === undefined) throw new Error("no consent");
    expect((await consents.find(psu, one))?.consent.id).to.equal(one);
    expect((await consents.find(psu, one))?.tpp.organisationName).to.equal("TPP of consents");
    expect(await consents.find(parsePsuId("somebody"), one)).to.equal(undefined);
  });

  it("are listed for their PSU among other ended ones by time of end, even before that is recorded", async () => {
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

  it("are found also when their application is gone", async () => {
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
