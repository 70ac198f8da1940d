import { randomUUID } from "node:crypto";
import { parseAccountId } from "@cobs/cobs-model";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import type { ConsentId } from "../../packages/resource/src/introspection/token-introspection.ts";
import type { AccessCounts, AccessSubject } from "../../packages/resource/src/unattended/access-counts.ts";
import { countAccessesIn } from "../../packages/resource/src/unattended/access-counts-postgres.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { PATIENT } from "../support/test-databases.ts";

const LIMIT = 4;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Standing = Awaited<ReturnType<AccessCounts["look"]>>;

const withoutRest = (standing: Standing) => ({ ...standing, remainingMilliseconds: undefined });
const restOf = (standing: Standing) => (standing.kind === "open" ? 0 : standing.remainingMilliseconds);

describe("Counts of accesses without the PSU (RTS Article 36(5)(b))", () => {
  let clock: DatabaseWithMovableClock;
  let databases: readonly [Database, Database];
  let processes: readonly [AccessCounts, AccessCounts];

  before(async () => {
    clock = await createDatabaseWithMovableClock();
    const { log } = readableLog();
    // Where days of 23 and 25 hours exist.
    const url = new Secret(`${clock.url}?options=-c%20timezone%3DEurope/Prague`);
    await migrateDatabase({ url, directory: MIGRATIONS_DIRECTORY, log });
    const open = () =>
      openDatabase({ url, maxConnections: 8, applicationName: "contract", log, timeLimits: PATIENT });
    databases = [open(), open()];
    processes = [countAccessesIn(databases[0]), countAccessesIn(databases[1])];
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const subjectOf = (changed: Partial<AccessSubject> = {}): AccessSubject => ({
    consentId: `consent-${randomUUID()}` as ConsentId,
    account: parseAccountId("account-1"),
    resource: "transactions",
    ...changed,
  });

  /** Counts, and finds that looking from the other process tells the same, before it and after it. */
  async function count(subject: AccessSubject, limit = LIMIT) {
    const before = await processes[1].look(subject, limit);
    const counted = await processes[0].count(subject, limit);
    const after = await processes[1].look(subject, limit);
    expect(counted.kind).to.equal(before.kind === "open" ? "running" : before.kind);
    expect(withoutRest(after)).to.deep.equal(withoutRest(counted));
    expect(restOf(after)).to.be.within(
      counted.remainingMilliseconds - MINUTE / 2,
      counted.remainingMilliseconds,
    );
    return counted;
  }
  const kindOf = async (subject: AccessSubject, limit = LIMIT) => (await count(subject, limit)).kind;

  /** Fifty callers at once, half of them in another process. */
  const fiftyAtOnce = (subject: AccessSubject) =>
    Promise.all(Array.from({ length: 50 }, (_, place) => processes[place % 2 ? 0 : 1].count(subject, LIMIT)));

  async function beginsOf({ consentId }: AccessSubject): Promise<readonly Date[]> {
    const text =
      "SELECT began FROM unattended_access, unnest(began_at) AS began WHERE consent_id = $1 ORDER BY began";
    const rows = await databases[0].run<{ began: Date }>({ name: "begins", text, values: [consentId] });
    return rows.map(({ began }) => began);
  }

  /** Uses up the limit, and ends the last access. */
  async function exhaust(subject: AccessSubject): Promise<void> {
    for (let access = 0; access < LIMIT; access += 1) {
      expect(await kindOf(subject)).to.equal("running");
      await clock.advance(16 * MINUTE);
    }
  }

  it("count an access once, however many calls belong to it, and tell how long it still runs", async () => {
    const subject = subjectOf();
    await count(subject);
    await clock.advance(10 * MINUTE);
    const standing = await count(subject);
    expect(standing.kind).to.equal("running");
    expect(standing.remainingMilliseconds).to.be.within(4 * MINUTE, 5 * MINUTE);
    expect(await beginsOf(subject)).to.have.length(1);
  });

  it("end an access fifteen minutes after its first call, not after its last", async () => {
    const subject = subjectOf();
    await count(subject);
    await clock.advance(14 * MINUTE);
    await count(subject);
    await clock.advance(MINUTE);
    expect((await processes[0].look(subject, LIMIT)).kind).to.equal("open");
    await count(subject);
    expect(await beginsOf(subject)).to.have.length(2);
  });

  it("refuse a fifth within 24 hours, and tell that it may begin 24 hours after the first", async () => {
    const subject = subjectOf();
    await exhaust(subject);
    const [first] = await beginsOf(subject);
    const refused = await count(subject);
    expect(refused).to.include({ kind: "exhausted" });
    expect(refused).to.deep.include({ continuesAt: new Date(Number(first) + 24 * HOUR) });
    expect(await processes[1].look(subject, LIMIT)).to.deep.include({
      continuesAt: new Date(Number(first) + 24 * HOUR),
    });
    await clock.advance(refused.remainingMilliseconds - MINUTE);
    expect(await kindOf(subject)).to.equal("exhausted");
    await clock.advance(MINUTE);
    expect(await kindOf(subject)).to.equal("running");
    expect(await beginsOf(subject)).to.have.length(LIMIT);
  });

  it("continue an access that began before the limit was used up", async () => {
    const subject = subjectOf();
    for (let access = 0; access < LIMIT - 1; access += 1) {
      await count(subject);
      await clock.advance(16 * MINUTE);
    }
    await count(subject);
    await clock.advance(14 * MINUTE);
    expect(await kindOf(subject)).to.equal("running");
  });

  it("apply to one consent, account and resource, and to no other", async () => {
    const subject = subjectOf();
    await exhaust(subject);
    expect(await kindOf(subject)).to.equal("exhausted");
    const others = [{ resource: "balance" } as const, { account: parseAccountId("account-2") }];
    for (const other of others) {
      expect(await processes[1].look({ ...subject, ...other }, LIMIT)).to.deep.equal({ kind: "open" });
      expect(await kindOf({ ...subject, ...other })).to.equal("running");
    }
    expect(await processes[1].look(subject, LIMIT)).to.include({ kind: "exhausted" });
    expect(await kindOf(subjectOf())).to.equal("running");
  });

  it("allow as many as the limit of the call's TPP, also when that has changed meanwhile", async () => {
    const subject = subjectOf();
    await exhaust(subject);
    expect(await kindOf(subject, LIMIT + 1)).to.equal("running");
    await clock.advance(16 * MINUTE);
    const begins = await beginsOf(subject);
    expect(await count(subject, 2)).to.deep.include({
      kind: "exhausted",
      continuesAt: new Date(Number(begins.at(-2)) + 24 * HOUR),
    });
  });

  it("begin one access for 50 calls of two processes at once, as often as the limit allows", async () => {
    const subject = subjectOf();
    const kinds: string[] = [];
    for (let round = 0; round < LIMIT + 2; round += 1) {
      const standings = await fiftyAtOnce(subject);
      const [kind = "", ...others] = new Set(standings.map((standing) => standing.kind));
      expect(others).to.be.empty;
      kinds.push(kind);
      await clock.advance(16 * MINUTE);
    }
    expect(kinds).to.deep.equal([...Array(LIMIT).fill("running"), "exhausted", "exhausted"]);
    expect(await beginsOf(subject)).to.have.length(LIMIT);
  });

  it("never begin more than the limit in any 24 hours, with 50 calls at the edge of the window", async () => {
    const subject = subjectOf();
    await exhaust(subject);
    const { remainingMilliseconds } = await count(subject);
    await clock.advance(remainingMilliseconds - 300);
    const edge = clock.advance(300);
    const standings = await fiftyAtOnce(subject);
    await edge;
    expect(await kindOf(subject)).to.equal("running");
    expect(standings.map(({ kind }) => kind)).to.satisfy((kinds: string[]) =>
      kinds.every((kind) => kind === "running" || kind === "exhausted"),
    );
    expect(await beginsOf(subject)).to.have.length(LIMIT);
  });

  it("use hours, not calendar days, so a day on which clocks change is no shorter or longer", async () => {
    for (const change of ["2027-03-28T01:00:00Z", "2027-10-31T01:00:00Z"]) {
      const subject = subjectOf();
      await clock.setTo(new Date(Date.parse(change) - 3 * HOUR));
      await exhaust(subject);
      const [first] = await beginsOf(subject);
      expect(await count(subject)).to.deep.include({ continuesAt: new Date(Number(first) + 24 * HOUR) });
    }
  });

  it("end an access when the database's clock was set back, and forget none that counts", async () => {
    const subject = subjectOf();
    await count(subject);
    await clock.advance(-2 * HOUR);
    expect(await processes[1].look(subject, LIMIT)).to.deep.equal({ kind: "open" });
    await exhaustRest(subject);
    expect(await kindOf(subject)).to.equal("exhausted");
  });

  it("do not count for as long as the database's clock was ahead, once it is right again", async () => {
    const subject = subjectOf();
    await clock.advanceDays(400);
    await exhaust(subject);
    await clock.advanceDays(-400);
    expect(await processes[1].look(subject, LIMIT)).to.deep.equal({ kind: "open" });
    expect(await kindOf(subject)).to.equal("running");
    expect(await beginsOf(subject)).to.have.length(1);
  });

  async function exhaustRest(subject: AccessSubject): Promise<void> {
    for (let access = 1; access < LIMIT; access += 1) {
      await count(subject);
      await clock.advance(16 * MINUTE);
    }
    expect(await beginsOf(subject)).to.have.length(LIMIT);
  }

  it("are deleted in batches once they no longer matter, and not before", async () => {
    // Those of the tests before are of days on either side of this one.
    await databases[0].run({ name: "empty", text: "DELETE FROM unattended_access", values: [] });
    const old = [subjectOf(), subjectOf(), subjectOf()];
    for (const subject of old) await count(subject);
    await clock.advance(24 * HOUR - MINUTE);
    const young = subjectOf();
    await count(young);
    expect(await processes[0].forgetOld(2)).to.equal(0);
    await clock.advance(MINUTE);
    const deleted = await Promise.all(processes.map((process) => process.forgetOld(2)));
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).to.equal(3);
    expect(await beginsOf(young)).to.have.length(1);
  });
});
