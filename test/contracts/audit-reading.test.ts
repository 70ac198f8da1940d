import { createHash } from "node:crypto";
import type { Database, Queries } from "@cobs/service-edge";
import { expect } from "chai";
import { archiveAudit, KEPT_DAYS } from "../../packages/auth/src/audit/archive-audit-postgres.ts";
import { checkAudit } from "../../packages/auth/src/audit/check-audit-postgres.ts";
import { exportAudit, MAX_EXPORTED_ENTRIES } from "../../packages/auth/src/audit/export-audit-postgres.ts";
import { readChain } from "../../packages/auth/src/audit/read-chain-postgres.ts";
import {
  type AuditSearch,
  MAX_FOUND_ENTRIES,
  parseAuditCursor,
  searchAudit,
} from "../../packages/auth/src/audit/search-audit-postgres.ts";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import { rejectionOf } from "../support/rejection.ts";
import { append, entryOf, forge, runOn, sealAll } from "./audit-entries.ts";
import { twoProcesses } from "./auth-database.ts";
import { operatorAct } from "./test-acts.ts";

describe("Audit log for operators", () => {
  let databases: readonly [Database, Database];
  let database: Database;
  beforeEach(async () => {
    databases = await twoProcesses();
    [database] = databases;
  });
  afterEach(() => Promise.all(databases.map((each) => each.close())));

  const appendNumbered = (count: number) =>
    append(
      database,
      Array.from({ length: count }, (_, index) => entryOf(`entry ${index + 1}`)),
    );
  const search = async (asked: Partial<AuditSearch>) => {
    const { entries, next } = await searchAudit(database, { limit: 100, ...asked });
    return { ids: entries.map(({ subject }) => subject.id), next };
  };

  it("finds entries by actor, subject, action, request id and time, and by all of them, newest first", async () => {
    const act = operatorAct("jana");
    await append(database, [
      entryOf("a"),
      { ...entryOf("b"), act },
      { ...entryOf("a"), action: "consent.ended" },
    ]);
    // A Date has no microseconds: what was written in the millisecond before could look later.
    await runOn(database, "SELECT pg_sleep(0.002)");
    const times = await runOn<{ at: Date }>(database, "SELECT clock_timestamp() AS at");
    await append(database, [entryOf("later")]);
    const from = times[0]?.at;
    expect((await search({})).ids).to.deep.equal(["later", "a", "b", "a"]);
    expect((await search({ actor: "jana" })).ids).to.deep.equal(["b"]);
    expect((await search({ subject: "a" })).ids).to.deep.equal(["a", "a"]);
    expect((await search({ action: "consent.ended" })).ids).to.deep.equal(["a"]);
    expect((await search({ requestId: "call of jana" })).ids).to.deep.equal(["b"]);
    expect((await search({ from })).ids).to.deep.equal(["later"]);
    expect((await search({ until: from, actor: "psu", action: "consent.given" })).ids).to.deep.equal(["a"]);
    const [entry] = (await searchAudit(database, { actor: "jana", limit: 1 })).entries;
    expect(entry).to.deep.include({
      actor: { kind: "operator", name: "jana", certificate: act.actor.certificate },
      subject: { kind: "consent", id: "b" },
      details: {},
      sequence: undefined,
    });
  });

  it("finds none until the year 0, which PostgreSQL does not have, and all since", async () => {
    await appendNumbered(1);
    const time = new Date("0000-01-01T00:00:00Z");
    expect((await search({ until: time })).ids).to.deep.equal([]);
    expect((await search({ actor: "psu", from: time })).ids).to.deep.equal(["entry 1"]);
  });

  it("finds entries of the same microsecond in pages, each once, from that time on and not before it", async () => {
    await appendNumbered(3);
    const at = "2026-01-02T03:04:05.000Z";
    await forge(database, [`UPDATE audit_entry SET recorded_at = '${at}'`]);
    const paged: string[] = [];
    for (let next: string | undefined = "", page = 0; next !== undefined && page < 5; page += 1) {
      const found = await search({ limit: 1, after: parseAuditCursor(next) });
      paged.push(...found.ids);
      next = found.next;
    }
    expect(paged).to.deep.equal(["entry 3", "entry 2", "entry 1"]);
    expect((await search({ from: new Date(at) })).ids).to.have.length(3);
    expect((await search({ until: new Date(at) })).ids).to.deep.equal([]);
  });

  it("finds many in pages of at most 500, each entry once, also while others are written", async () => {
    await appendNumbered(MAX_FOUND_ENTRIES + 100);
    const first = await search({ limit: 10_000 });
    expect(first.ids).to.have.length(MAX_FOUND_ENTRIES);
    await append(database, [entryOf("new")]);
    const second = await search({ limit: 60, after: parseAuditCursor(first.next) });
    const third = await search({ limit: 60, after: parseAuditCursor(second.next) });
    expect(third.next).to.equal(undefined);
    const all = [...first.ids, ...second.ids, ...third.ids];
    expect(new Set(all).size).to.equal(MAX_FOUND_ENTRIES + 100);
    expect(all.at(-1)).to.equal("entry 1");
  });

  describe("searched by two criteria that very many entries meet, but few or none together", () => {
    const ASKED = { actor: "jana", action: "consent.ended", limit: 100 };
    const LOOKED_THROUGH = 10;
    /** What the answers have, one after the other, each with the entries that are read for it at most. */
    async function searchAll(asked: AuditSearch, lookedThrough: number): Promise<readonly string[][]> {
      const answers: string[][] = [];
      for (let after: AuditSearch["after"]; answers.length < 50; ) {
        const { entries, next } = await searchAudit(database, { ...asked, after }, lookedThrough);
        answers.push(entries.map(({ subject }) => subject.id));
        if (next === undefined) break;
        after = next;
      }
      return answers;
    }
    const both = (name: string) =>
      ({ ...entryOf(name), act: operatorAct("jana"), action: "consent.ended" }) as const;
    const either = (count: number) =>
      append(
        database,
        Array.from({ length: count }, () => [
          { ...entryOf("of jana"), act: operatorAct("jana") },
          { ...entryOf("ended"), action: "consent.ended" as const },
        ]).flat(),
      );

    it("examines some entries per answer, says how far back it searched, and gives each match once", async () => {
      await append(database, [both("oldest")]);
      await either(25);
      await append(database, [both("middle")]);
      await either(25);
      const answers = await searchAll(ASKED, LOOKED_THROUGH);
      expect(answers.flat()).to.deep.equal(["middle", "oldest"]);
      expect(answers).to.have.length.above(4).and.to.deep.include([]);
      expect(await searchAll(ASKED, 1_000)).to.deep.equal([["middle", "oldest"]]);
    });

    it("searches everything in one answer when few entries meet one criterion", async () => {
      await append(database, [both("oldest")]);
      await either(25);
      const asked = { ...ASKED, subject: "oldest" };
      expect(await searchAll(asked, LOOKED_THROUGH)).to.deep.equal([["oldest"]]);
      expect((await searchAll(asked, 1)).flat()).to.deep.equal(["oldest"]);
    });
  });

  it("accepts no malformed cursor", () => {
    for (const text of [
      undefined,
      "",
      "1",
      "2026-13-01T00:00:00.000000Z.1",
      "2026-02-30T00:00:00.000000Z.1",
      "'",
    ])
      expect(parseAuditCursor(text), String(text)).to.equal(undefined);
  });

  it("exports lines that can be checked without the server, in pages that continue each other", async () => {
    await appendNumbered(5);
    await sealAll(database);
    await append(database, [entryOf("unsealed")]);
    const first = await exportAudit(database, { after: 0, limit: 3 });
    const second = await exportAudit(database, { after: first?.last.sequence ?? 0, limit: 10_000 });
    const lines = [...(first?.lines ?? []), ...(second?.lines ?? [])];
    let previous = Buffer.alloc(32);
    for (const [index, line] of lines.entries()) {
      const [, entry = "", hash = "", sequence] =
        /^\{"entry":(\{.*\}),"hash":"([0-9a-f]{64})","sequence":(\d+)\}$/.exec(line) ?? [];
      previous = createHash("sha256").update(previous).update(entry).digest();
      expect([hash, sequence]).to.deep.equal([previous.toString("hex"), String(index + 1)]);
      expect(JSON.parse(line).entry).to.include({ subject: `entry ${index + 1}`, actorKind: "psu" });
      expect(Object.keys(JSON.parse(line).entry)).to.deep.equal(Object.keys(JSON.parse(line).entry).sort());
    }
    expect(second?.last).to.deep.equal({ sequence: 5, hash: previous.toString("hex") });
    expect(second?.head).to.deep.equal(second?.last);
    expect(await exportAudit(database, { after: 5, limit: 1 })).to.deep.include({
      lines: [],
      last: second?.head,
    });
    expect(await exportAudit(database, { after: 6, limit: 1 })).to.equal(undefined);
    expect(MAX_EXPORTED_ENTRIES).to.be.at.most(1_000);
  });

  it("exports no entry beyond the head that it reports, also when others are sealed meanwhile", async () => {
    await appendNumbered(2);
    await sealAll(database);
    let isSealed = false;
    const run: Queries["run"] = async (statement) => {
      if (statement.name === "audit-page" && !isSealed) {
        isSealed = true;
        await appendNumbered(3);
        await sealAll(database);
      }
      return database.run(statement);
    };
    const { lines, last, head } = (await exportAudit({ run }, { after: undefined, limit: 100 })) ?? {};
    expect([lines?.length, last?.sequence, head?.sequence]).to.deep.equal([2, 2, 2]);
    expect((await exportAudit(database, { after: 2, limit: 100 }))?.lines).to.have.length(3);
  });

  const makeOld = (through: number) =>
    forge(database, [
      `UPDATE audit_entry SET recorded_at = recorded_at - interval '${KEPT_DAYS + 1} days' WHERE id <= ${through}`,
    ]);
  const archive = (sequence: number, hash: string) =>
    archiveAudit(database, { sequence, hash }, operatorAct("jana"));

  it("archives what is old and exported, and checks the chain from there on", async () => {
    await appendNumbered(1_200);
    await makeOld(1_100);
    await sealAll(database);
    const { last } = (await exportAudit(database, { after: 0, limit: 700 })) ?? {};
    const through = last ?? { sequence: 0, hash: "" };
    expect(await archive(through.sequence, "0".repeat(64))).to.equal(undefined);
    expect(await archive(through.sequence, through.hash)).to.deep.equal(through);
    expect(await archive(through.sequence, through.hash)).to.equal(undefined);
    expect((await checkAudit(database)).broken).to.equal(undefined);
    expect(await exportAudit(database, { after: 699, limit: 1 }), "though it is still there").to.equal(
      undefined,
    );
    while (await cleanExpired(database));
    expect(await runOn(database, "SELECT id FROM audit_entry WHERE sequence <= 700")).to.deep.equal([]);
    await sealAll(database);
    const check = await checkAudit(database);
    expect(check).to.deep.include({ from: through, broken: undefined });
    expect(check.intactThrough.sequence).to.equal(1_201);
    expect((await checkAudit(database, (await readChain(database)).head)).broken).to.equal(undefined);
    expect(await exportAudit(database, { after: 699, limit: 1 })).to.equal(undefined);
    expect((await exportAudit(database, { after: 700, limit: 1 }))?.lines).to.have.length(1);
    expect((await search({ action: "audit.archived", actor: "jana" })).ids).to.deep.equal(["700"]);
  });

  it("archives each place once when several operators order it at once, and records each archiving", async () => {
    await appendNumbered(40);
    await makeOld(40);
    await sealAll(database);
    const { lines = [] } = (await exportAudit(database, { after: 0, limit: 100 })) ?? {};
    const places = lines.map((line) => JSON.parse(line)).filter((_, index) => index % 10 === 9);
    const orders = [...places, ...places].map(({ sequence, hash }) => archive(sequence, hash));
    const archived = (await Promise.all(orders)).filter((place) => place !== undefined);
    const sequences = archived.map(({ sequence }) => sequence).toSorted((one, other) => one - other);
    expect(sequences.at(-1)).to.equal(40);
    const { ids } = await search({ action: "audit.archived", actor: "jana" });
    expect(ids.map(Number).toSorted((one, other) => one - other)).to.deep.equal([...new Set(sequences)]);
    expect(sequences).to.have.length(new Set(sequences).size);
    // An order may be answered ahead of one that was asked before it.
    const from = archived.find(({ sequence }) => sequence === 40);
    expect(await checkAudit(database)).to.deep.include({ from, broken: undefined });
  });

  it("archives nothing unless it is older than five years", async () => {
    await appendNumbered(3);
    await makeOld(2);
    await forge(database, [
      "UPDATE audit_entry SET recorded_at = recorded_at - interval '5 years' + interval '1 hour' WHERE id = 3",
    ]);
    await sealAll(database);
    const { head } = await readChain(database);
    expect(await archive(head.sequence, head.hash)).to.equal(undefined);
    expect((await checkAudit(database)).from.sequence).to.equal(0);
  });

  it("lets nobody delete entries that must be kept, even if the chain says they were archived", async () => {
    await appendNumbered(3);
    await makeOld(2);
    await sealAll(database);
    await forge(database, [
      "UPDATE audit_chain SET archived_sequence = head_sequence, archived_hash = head_hash",
    ]);
    const remove = (sequence: number) =>
      runOn(database, "DELETE FROM audit_entry WHERE sequence = $1 RETURNING id", [sequence]);
    expect(await rejectionOf(remove(3))).to.include({ code: "42501" });
    expect(await rejectionOf(cleanExpired(database))).to.include({ code: "42501" });
    for (const sequence of [1, 2]) expect(await remove(sequence)).to.have.length(1);
    await forge(database, [
      "UPDATE audit_entry SET recorded_at = now() - interval '5 years' + interval '1 minute'",
    ]);
    expect(await rejectionOf(remove(3))).to.include({ code: "42501" });
  });

  it("reports no broken chain when entries are archived during the check", async () => {
    await appendNumbered(5);
    await makeOld(3);
    await sealAll(database);
    const { last } = (await exportAudit(database, { after: 0, limit: 3 })) ?? {};
    let isArchived = false;
    const run: Queries["run"] = async (statement) => {
      if (statement.name === "audit-page" && !isArchived) {
        isArchived = true;
        await archive(3, last?.hash ?? "");
        await cleanExpired(database);
      }
      return database.run(statement);
    };
    expect(await checkAudit({ run })).to.deep.include({ from: last, broken: undefined });
  });

  it("continues a check in parts at the new beginning when more was archived than it had reached", async () => {
    await appendNumbered(6);
    await makeOld(4);
    await sealAll(database);
    const { next } = await checkAudit(database, undefined, { limit: 2 });
    const { last } = (await exportAudit(database, { after: 0, limit: 4 })) ?? {};
    await archive(4, last?.hash ?? "");
    await cleanExpired(database);
    const check = await checkAudit(database, undefined, { after: next, limit: 2 });
    expect(check).to.deep.include({ from: last, broken: undefined });
    expect(check.intactThrough.sequence).to.equal(6);
  });

  it("archives no recent entry that precedes an old one, as after a clock was set back", async () => {
    await appendNumbered(3);
    await forge(database, [
      `UPDATE audit_entry SET recorded_at = recorded_at - interval '${KEPT_DAYS + 1} days' WHERE id <> 2`,
    ]);
    await sealAll(database);
    const { head } = await readChain(database);
    expect(await archive(head.sequence, head.hash)).to.equal(undefined);
    const { last } = (await exportAudit(database, { after: 0, limit: 1 })) ?? {};
    expect(await archive(1, last?.hash ?? "")).to.deep.equal(last);
  });
});
