import type { Database, Repeat, Round } from "@cobs/service-edge";
import { expect } from "chai";
import { type ConsentId, createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createConsentSearch } from "../../packages/auth/src/consent/consent-search-postgres.ts";
import { writeUses } from "../../packages/auth/src/consent/consent-uses-postgres.ts";
import { startNotingUses } from "../../packages/auth/src/consent/note-uses.ts";
import { createPsuConsents } from "../../packages/auth/src/consent/psu-consents-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo, PSU } from "./sample-consent.ts";
import { storeApplication, storeTpp } from "./stored-tpp.ts";
import { psuAct } from "./test-acts.ts";

describe("Last use of a consent", () => {
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

  it("is unknown at first, then written at most once a minute, whichever processes see uses", async () => {
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

  it("belongs to that consent alone, wherever it is shown", async () => {
    const other = consentTo(await storeApplication(databases[0]));
    await createConsentStore(databases[0]).give(other, psuAct());
    await writeUses(databases[0], [id]);
    const consents = createPsuConsents(databases[1]);
    const search = createConsentSearch(databases[1]);
    const used = new Map([
      [id, true],
      [other.id, false],
    ]);
    const listed = (await consents.list(PSU, { active: true, page: 1 })).consents.map(
      ({ consent }) => consent,
    );
    const found = await search.list({ psu: PSU }, { after: undefined, limit: 10 });
    for (const shown of [listed, found ?? []])
      expect(new Map(shown.map((each) => [each.id, each.lastUsedAt !== undefined]))).to.deep.equal(used);
    for (const [each, isUsed] of used) {
      expect((await search.find(each))?.lastUsedAt !== undefined).to.equal(isUsed);
      expect((await consents.find(PSU, each))?.consent.lastUsedAt !== undefined).to.equal(isUsed);
    }
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

  it("is written for all consents when the process stops, however many there are", async () => {
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

  it("is written when the database answers again, and causes no error meanwhile", async () => {
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

  it("delays nobody and only causes a log line when it cannot be written", async () => {
    const { log, lines } = readableLog();
    const uses = startNotingUses({ database: databases[0], clock: movableClock(), log });
    uses.note(createConsentId());
    await uses.stop();
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["uses of consents could not be written"]);
  });
});
