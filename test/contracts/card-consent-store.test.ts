import { randomUUID } from "node:crypto";
import { type PsuId, parseAccountId, parseIban, parsePsuId } from "@cobs/cobs-model";
import { type OrganisationIdentifier, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database, Statement } from "@cobs/service-edge";
import { expect } from "chai";
import {
  type CardConsentId,
  createCardConsentId,
} from "../../packages/auth/src/card-consent/card-consent.ts";
import {
  cardConsentListStatement,
  createCardConsentStore,
} from "../../packages/auth/src/card-consent/card-consent-postgres.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu-block/psu-blocks-postgres.ts";
import { movableClock } from "../support/movable-clock.ts";
import { twoProcesses } from "./auth-database.ts";
import { notingDatabase } from "./noting-database.ts";
import { storeTpp } from "./stored-tpp.ts";
import { operatorAct, psuAct } from "./test-acts.ts";

const IBAN = parseIban("CZ6508000000192000145399");
const ANOTHER_IBAN = parseIban("CZ3299000000002000000018");
const JANA = operatorAct("jana");
const HOUR = 3_600_000;

describe("Consents to card issuers (COBS A-79)", function cardConsents() {
  this.timeout(120_000);
  const clock = movableClock();
  // Behind the clock of the database, by which consents end: none ends before it was given, however far the tests move it.
  clock.setWall(-HOUR);
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const store = (process: 0 | 1 = 0) => createCardConsentStore(databases[process], clock);
  const newPsu = () => parsePsuId(`psu-${randomUUID()}`);
  let tpps = 0;
  const newTpp = () => {
    tpps += 1;
    return parseOrganisationIdentifier(`PSDCZ-CNB-9${tpps}`);
  };

  const termsOf = (psu: PsuId, organisationIdentifier: OrganisationIdentifier) => ({
    id: createCardConsentId(),
    psu,
    organisationIdentifier,
    organisationName: "Karty, a.s.",
    account: parseAccountId("account-1"),
    iban: IBAN,
  });

  async function give(psu: PsuId, tpp: OrganisationIdentifier) {
    const outcome = await store().give(termsOf(psu, tpp), JANA);
    if (outcome.result === "psu_blocked") throw new Error("blocked");
    return outcome.consent;
  }

  async function entriesOf(id: string) {
    const text = "SELECT action, actor, details FROM audit_entry WHERE subject = $1 ORDER BY id";
    const rows = await databases[1].pool.query<{ action: string; actor: string; details: string }>(text, [
      id,
    ]);
    return rows.rows.map(({ action, actor, details }) => [action, actor, JSON.parse(details)]);
  }

  async function toldBy(act: () => Promise<unknown>) {
    const feed = createFeed(databases[1]);
    const position = await feed.head();
    await act();
    const told = await feed.readAfter({ position, mark: undefined });
    return told?.events.map(({ kind, key }) => `${kind} ${key}`);
  }

  it("are found by TPP and account together, not by either alone", async () => {
    const [psu, tpp] = [newPsu(), newTpp()];
    const consent = await give(psu, tpp);
    expect(await store(1).findActive({ organisationIdentifier: tpp, iban: IBAN })).to.deep.equal([consent]);
    expect(await store(1).findActive({ organisationIdentifier: newTpp(), iban: IBAN })).to.deep.equal([]);
    expect(await store(1).findActive({ organisationIdentifier: tpp, iban: ANOTHER_IBAN })).to.deep.equal([]);
  });

  it("show the current name of their card issuer if it is known, otherwise the one they were given with", async () => {
    const [psu, known, another, unknown] = [newPsu(), newTpp(), newTpp(), newTpp()];
    for (const tpp of [another, known]) await storeTpp(databases[0], tpp);
    const text = "UPDATE tpp SET organisation_name = $1 || ' now' WHERE organisation_identifier = $1";
    for (const tpp of [another, known]) await databases[0].run({ name: "rename", text, values: [tpp] });
    expect((await give(psu, known)).organisationName).to.equal(`${known} now`);
    expect((await give(psu, unknown)).organisationName).to.equal("Karty, a.s.");
  });

  it("are recorded once when fifty are given at once, and the others learn which one holds", async () => {
    const [psu, tpp] = [newPsu(), newTpp()];
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) => store(at % 2 ? 0 : 1).give(termsOf(psu, tpp), JANA)),
    );
    expect(outcomes.filter(({ result }) => result === "given")).to.have.length(1);
    const ids = outcomes.map((outcome) => (outcome.result === "psu_blocked" ? "" : outcome.consent.id));
    expect(new Set(ids).size).to.equal(1);
    const details = { psu, tpp, account: "account-1" };
    expect(await entriesOf(ids[0] ?? "")).to.deep.equal([["card_consent.given", "jana", details]]);
  });

  it("are recorded once when fifty are given at once for two accounts with one IBAN; the others learn for which", async () => {
    const [psu, tpp] = [newPsu(), newTpp()];
    const accounts = ["account-1", "account-2"].map((id) => parseAccountId(id));
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const account = accounts[at % 2] ?? parseAccountId("none");
        const outcome = await store(at % 2 ? 0 : 1).give({ ...termsOf(psu, tpp), account }, JANA);
        if (outcome.result === "psu_blocked") throw new Error("blocked");
        return { ...outcome, isSame: outcome.consent.account === account };
      }),
    );
    const told = outcomes.map(({ result, isSame }) => `${result} ${isSame}`);
    const count = (wanted: string) => told.filter((each) => each === wanted).length;
    expect([count("given true"), count("already_given true"), count("other_account false")]).to.deep.equal([
      1, 24, 25,
    ]);
  });

  it("end once when fifty endings come at once, with one event and one entry, and are no longer found", async () => {
    const [psu, tpp] = [newPsu(), newTpp()];
    const { id } = await give(psu, tpp);
    const ending = { by: "psu", reason: "withdrawn", act: psuAct(psu) } as const;
    let ended: readonly boolean[] = [];
    const told = await toldBy(async () => {
      ended = await Promise.all(Array.from({ length: 50 }, (_, at) => store(at % 2 ? 0 : 1).end(id, ending)));
    });
    expect(ended.filter((each) => each)).to.have.length(1);
    expect(told).to.deep.equal([`card_consent ${id}`]);
    expect(await store(1).findActive({ organisationIdentifier: tpp, iban: IBAN })).to.deep.equal([]);
    expect(await store(1).find(id)).to.include({ state: "ended", endedBy: "psu", reason: "withdrawn" });
    expect(await entriesOf(id)).to.have.length(2);
    expect((await give(psu, tpp)).id).not.to.equal(id);
  });

  it("of two holders of one account are independent of each other", async () => {
    const [tpp, one, other] = [newTpp(), newPsu(), newPsu()];
    const first = await give(one, tpp);
    clock.advance(1_000);
    const second = await give(other, tpp);
    const active = async () =>
      (await store().findActive({ organisationIdentifier: tpp, iban: IBAN })).map(({ id }) => id);
    expect(await active()).to.deep.equal([first.id, second.id]);
    await store().end(first.id, { by: "psu", reason: "withdrawn", act: psuAct(one) });
    expect(await active()).to.deep.equal([second.id]);
  });

  it("end with the block of their PSU, announced by its event, and cannot be given while it holds", async () => {
    const [psu, tpp] = [newPsu(), newTpp()];
    const { id } = await give(psu, tpp);
    const blocks = createPsuBlocks(databases[0], clock);
    const told = await toldBy(async () => {
      expect(await blocks.block({ psu, reason: "fraud" }, JANA)).to.include({ endedConsents: 1 });
    });
    expect(told).to.deep.equal([`psu_blocked ${psu}`]);
    expect(await store(1).find(id)).to.include({ endedBy: "bank", reason: "psu_blocked" });
    expect((await entriesOf(id)).at(-1)?.[2]).to.include({
      by: "bank",
      reason: "psu_blocked",
      note: "fraud",
    });
    expect(await store(1).give(termsOf(psu, tpp), JANA)).to.deep.equal({ result: "psu_blocked" });
    clock.advance(1_000);
    await blocks.release(psu, JANA);
    clock.advance(1_000);
    expect(await store(1).findActive({ organisationIdentifier: tpp, iban: IBAN })).to.deep.equal([]);
    expect(await store(1).give(termsOf(psu, tpp), JANA)).to.include({ result: "given" });
  });

  it("do not outlive the block of their PSU when fifty race with it", async () => {
    const psu = newPsu();
    const blocks = createPsuBlocks(databases[1], clock);
    const given = Array.from({ length: 50 }, async (_, at) => {
      const block = at === 25 ? blocks.block({ psu, reason: "race" }, JANA) : undefined;
      await Promise.all([store(at % 2 ? 0 : 1).give(termsOf(psu, newTpp()), JANA), block]);
    });
    await Promise.all(given);
    expect(await store().list({ psu, state: "active" }, { after: undefined, limit: 100 })).to.deep.equal([]);
  });

  it("are listed newest first, by PSU, TPP and state, in pages that repeat no row", async () => {
    const [psu, tpp] = [newPsu(), newTpp()];
    const ids: string[] = [];
    for (const each of [tpp, newTpp(), newTpp()]) {
      clock.advance(1_000);
      ids.unshift((await give(psu, each)).id);
    }
    const idsOf = async (filter: Parameters<ReturnType<typeof store>["list"]>[0]) =>
      (await store().list(filter, { after: undefined, limit: 10 }))?.map(({ id }) => id);
    expect(await idsOf({ psu })).to.deep.equal(ids);
    expect(await idsOf({ tpp, state: "active" })).to.deep.equal([ids[2]]);
    await give(newPsu(), tpp);
    expect(await idsOf({ psu, tpp })).to.deep.equal([ids[2]]);
    expect(await idsOf({ psu, state: "ended" })).to.deep.equal([]);
    const [first] = (await store().list({ psu }, { after: undefined, limit: 1 })) ?? [];
    const rest = await store().list({ psu }, { after: first?.id, limit: 10 });
    expect(rest?.map(({ id }) => id)).to.deep.equal(ids.slice(1));
    expect(await store().list({ psu }, { after: createCardConsentId(), limit: 1 })).to.equal(undefined);
  });

  it("fill pages of ten for their PSU, ended ones by their end, and a page beyond the last shows the last", async () => {
    const psu = newPsu();
    const ids: CardConsentId[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      clock.advance(1_000);
      ids.unshift((await give(psu, newTpp())).id);
    }
    const pageOf = async (state: "active" | "ended", page: number) => {
      const { consents, ...place } = (await store().pagesOf(psu, { active: page, ended: page }))[state];
      return { ...place, ids: consents.map(({ id }) => id) };
    };
    expect(await pageOf("active", 1)).to.deep.equal({ page: 1, pages: 2, ids: ids.slice(0, 10) });
    for (const page of [2, 9])
      expect(await pageOf("active", page)).to.deep.equal({ page: 2, pages: 2, ids: ids.slice(10) });
    expect(await pageOf("ended", 2)).to.deep.equal({ page: 1, pages: 1, ids: [] });
    const [newest, ...others] = ids;
    const oldest = others.at(-1);
    if (newest === undefined || oldest === undefined) throw new TypeError("none was given");
    for (const id of [newest, oldest])
      await store().end(id, { by: "psu", reason: "withdrawn", act: psuAct(psu) });
    expect(await pageOf("ended", 1)).to.deep.equal({ page: 1, pages: 1, ids: [oldest, newest] });
  });

  it("are shown on the pages of the PSU who gave them, and to nobody else", async () => {
    const [psu, another] = [newPsu(), newPsu()];
    for (let turn = 0; turn < 11; turn += 1) await give(another, newTpp());
    const [ended, active] = [await give(psu, newTpp()), await give(psu, newTpp())];
    await store().end(ended.id, { by: "psu", reason: "withdrawn", act: psuAct(psu) });
    expect(await store().countOf(psu)).to.deep.equal({ active: 1, ended: 1 });
    for (const [state, id] of [
      ["active", active.id],
      ["ended", ended.id],
    ] as const) {
      const { consents, ...place } = (await store().pagesOf(psu, { active: 2, ended: 2 }))[state];
      expect([place, consents.map((each) => each.id)]).to.deep.equal([{ page: 1, pages: 1 }, [id]]);
    }
    expect((await store().pagesOf(another, { active: 1, ended: 1 })).ended.consents).to.deep.equal([]);
  });

  it("are counted once for the pages of their PSU, which have active and ended ones", async () => {
    const noted: Statement[] = [];
    const noting = createCardConsentStore(notingDatabase(databases[0], noted), clock);
    await noting.pagesOf(newPsu(), { active: 1, ended: 1 });
    expect(noted.map(({ name }) => name)).to.deep.equal([
      "card-consent-count",
      "card-consent-page-active",
      "card-consent-page-ended",
    ]);
  });

  it("are found and listed by an index each (the plan sorts at most the pages of the states)", async () => {
    const page = { after: createCardConsentId(), limit: 50 };
    const plans = [
      ["card_consent_by_time", cardConsentListStatement({}, page)],
      ["card_consent_by_psu", cardConsentListStatement({ psu: newPsu() }, page)],
      ["card_consent_not_ended_by_time", cardConsentListStatement({ state: "active" }, page)],
      ["card_consent_ended_by_time", cardConsentListStatement({ state: "ended" }, page)],
      ...([undefined, "active", "ended"] as const).map(
        (state) =>
          ["card_consent_of_tpp_by_state", cardConsentListStatement({ tpp: newTpp(), state }, page)] as const,
      ),
    ] as const;
    for (const [index, { text, values }] of plans) {
      const plan = await databases[0].transaction(async (queries) => {
        await queries.run({ name: "", text: "SET LOCAL enable_seqscan = off", values: [] });
        await queries.run({ name: "", text: "SET LOCAL enable_bitmapscan = off", values: [] });
        return queries.run<{ "QUERY PLAN": string }>({ name: "", text: `EXPLAIN ${text}`, values });
      });
      const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
      expect(lines).to.include(index);
      // The pages of the states are sorted among themselves.
      if (!index.endsWith("_by_state")) expect(lines).not.to.include("Sort");
    }
  });
});
