import { randomUUID } from "node:crypto";
import { type Database, migrateDatabase, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import fc from "fast-check";
import { archiveAudit } from "../../packages/auth/src/audit/archive-audit-postgres.ts";
import type { ChainPoint } from "../../packages/auth/src/audit/audit-chain.ts";
import { checkAudit } from "../../packages/auth/src/audit/check-audit-postgres.ts";
import { exportAudit } from "../../packages/auth/src/audit/export-audit-postgres.ts";
import { readChain } from "../../packages/auth/src/audit/read-chain-postgres.ts";
import { searchAudit } from "../../packages/auth/src/audit/search-audit-postgres.ts";
import { MIGRATIONS_DIRECTORY } from "../../packages/auth/src/migrations-directory.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { createMigratedTestDatabase, PATIENT, runAsOperatorOf } from "../support/test-databases.ts";
import { ATTACKS, ENTRIES, entryWith, NEXT, SEALED } from "./audit-attacks.ts";
import { append, entryOf, forge, sealAll } from "./audit-entries.ts";
import { operatorAct } from "./test-acts.ts";

const REFUSED = "42501";

describe("Audit log under a database role that owns nothing", () => {
  let owner: Database;
  let taken: Database;
  let head: ChainPoint;
  let ownerUrl: string;
  const open = (url: string) =>
    openDatabase({
      url: new Secret(url),
      maxConnections: 4,
      applicationName: "contract",
      log: readableLog().log,
      timeLimits: PATIENT,
    });
  beforeEach(async () => {
    ownerUrl = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    const url = new URL(ownerUrl);
    const name = url.pathname.slice(1);
    url.username = `${name}_use`;
    await runAsOperatorOf(name, [
      `CREATE ROLE ${url.username} LOGIN NOSUPERUSER`,
      `GRANT CONNECT ON DATABASE ${name} TO ${url.username}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${url.username}`,
    ]);
    owner = open(ownerUrl);
    taken = open(url.href);
    // The first two are old: one that may go, and one of which a day is left.
    for (let nth = 1; nth <= SEALED; nth += 1) await append(taken, [entryOf(`entry ${nth}`)]);
    await forge(owner, [
      "UPDATE audit_entry SET recorded_at = now() - interval '2000 days' WHERE id = 1",
      "UPDATE audit_entry SET recorded_at = now() - interval '5 years' + interval '1 day' WHERE id = 2",
    ]);
    await sealAll(taken);
    ({ head } = await readChain(taken));
    await append(taken, [entryOf(`entry ${ENTRIES}`)]);
  });
  afterEach(() => Promise.all([owner.close(), taken.close()]));

  const attack = (statements: readonly string[], database = taken) =>
    database.transaction(async (queries) => {
      for (const text of statements) await queries.run({ name: "", text, values: [] });
    });

  async function expectAllThere() {
    const entries = Array.from({ length: ENTRIES }, (_, index) => `entry ${index + 1}`);
    await sealAll(taken);
    expect(await checkAudit(taken, head)).to.deep.include({ broken: undefined });
    const { lines = [] } = (await exportAudit(taken, { after: undefined, limit: 100 })) ?? {};
    expect(lines.map((line) => JSON.parse(line).entry.subject)).to.deep.equal(entries);
    const found = await searchAudit(taken, { limit: 100 });
    expect(found.entries.map(({ subject }) => subject.id)).to.have.members(entries);
  }

  for (const [what, statements] of Object.entries(ATTACKS))
    it(`refuses whoever ${what}`, async () => {
      expect(await rejectionOf(attack(statements)), what).to.include({ code: REFUSED });
      await expectAllThere();
    });

  it("refuses an entry whose details are not JSON", async () => {
    expect(await rejectionOf(attack([entryWith("details", "'no JSON'")]))).to.include({ code: "22P02" });
    await expectAllThere();
  });

  // From PostgreSQL 18 on, which is so told: there the abbreviations of the session's time zone come first.
  it("searches and exports by the true time, also under a time zone that is only called UTC", async () => {
    const added = attack(["SET LOCAL TimeZone = 'UTC-5'", entryWith("details, request_id", "'{}', 'call'")]);
    const refusal = await added.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined) expect(refusal).to.include({ code: REFUSED });
    const from = new Date(Date.now() - 3_600_000);
    const until = new Date(Date.now() + 3_600_000);
    const { entries } = await searchAudit(taken, { requestId: "call", from, until, limit: 100 });
    expect(entries).to.have.length(refusal === undefined ? 1 : 0);
    const url = new URL(ownerUrl);
    await owner.run({
      name: "",
      text: `ALTER ROLE ${url.username} IN DATABASE ${url.pathname.slice(1)} SET TimeZone = 'UTC-5'`,
      values: [],
    });
    const shifted = open(ownerUrl);
    const asked = { after: 0, limit: 100 };
    expect(await exportAudit(shifted, asked)).to.deep.equal(await exportAudit(owner, asked));
    await shifted.close();
  });

  it("still refuses attacks after somebody made earlier migrations run again", async () => {
    await attack(["DELETE FROM schema_migration WHERE name LIKE '0089%'"]);
    await migrateDatabase({
      url: new Secret(ownerUrl),
      directory: MIGRATIONS_DIRECTORY,
      log: readableLog().log,
    });
    for (const what of ["gives an entry a number before the first", "says that all was archived"])
      expect(await rejectionOf(attack(ATTACKS[what] ?? [])), what).to.include({ code: REFUSED });
  });

  it("is not deceived by a temporary table of the same name, made by the owner", async () => {
    const forgotten = attack(
      [
        "CREATE TEMPORARY TABLE audit_chain AS SELECT 1000 AS archived_sequence, -10 AS head_sequence",
        "DELETE FROM audit_entry WHERE sequence = 1",
      ],
      owner,
    );
    expect(await rejectionOf(forgotten)).to.include({ code: REFUSED });
  });

  it("is not deceived by a better-fitting operator, where everybody may create one in public", async () => {
    await owner.run({ name: "", text: "GRANT CREATE ON SCHEMA public TO PUBLIC", values: [] });
    await attack([
      "CREATE FUNCTION agree(audit_entry, audit_entry) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
      "CREATE OPERATOR public.*= (LEFTARG = audit_entry, RIGHTARG = audit_entry, FUNCTION = agree)",
    ]);
    const changed = attack([NEXT.replace("SET", "SET subject = 'harmless',")]);
    expect(await rejectionOf(changed)).to.include({
      code: REFUSED,
      message: "audit entries are not changed: UPDATE refused",
    });
    await expectAllThere();
  });

  it("lets it seal, archive what is old, and delete only that", async () => {
    await sealAll(taken);
    const { last } = (await exportAudit(taken, { after: 0, limit: 1 })) ?? {};
    expect(await archiveAudit(taken, last ?? head, operatorAct("jana"))).to.deep.equal(last);
    for (const sequence of [2, 3]) {
      const deleted = attack([`DELETE FROM audit_entry WHERE sequence = ${sequence}`]);
      expect(await rejectionOf(deleted)).to.include({ code: REFUSED });
    }
    await attack(["DELETE FROM audit_entry WHERE sequence = 1"]);
    await append(taken, [entryOf("later")]);
    const free = attack([NEXT.replace(`sequence = ${SEALED + 1}`, "sequence = 1")]);
    expect(await rejectionOf(free), "a number that is free").to.include({ code: REFUSED });
    await sealAll(taken);
    expect(await checkAudit(taken, head)).to.deep.include({ from: last, broken: undefined });
  });

  it("takes entries from many calls at once, and one with a number that a failed change left out", async () => {
    await rejectionOf(attack([entryWith("details", "'[]'")]));
    const added = Array.from({ length: 50 }, (_, nth) => append(taken, [entryOf(`at once ${nth}`)]));
    await Promise.all([...added, attack([entryWith("details, id", `'{}', ${ENTRIES + 1}`)])]);
    await sealAll(taken);
    const check = await checkAudit(taken, head);
    expect(check).to.deep.include({ broken: undefined });
    expect(check.intactThrough.sequence).to.equal(ENTRIES + 51);
  });

  it("takes and seals the largest possible entry, of two registrations with a whole body", async () => {
    const registered = Array.from({ length: 44 }, (_, nth) => `${nth}`.padEnd(500, "\u20ac"));
    const details = { changed: registered, "jwks.before": [...registered, "\u0001".repeat(499)] };
    expect(Buffer.byteLength(JSON.stringify(details))).to.be.within(131_072, 150_000);
    const longest = "\u20ac".repeat(600);
    await append(taken, [
      { ...entryOf(longest, details), act: { ...operatorAct(longest), requestId: randomUUID() } },
    ]);
    await sealAll(taken);
    expect(await checkAudit(taken, head)).to.deep.include({ broken: undefined });
  });

  it("seals entries of any text: the database computes the same canonical form", async () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const detail = fc.oneof(
      text,
      fc.array(text, { maxLength: 3 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const entry = fc.record({ id: text, note: text, requestId: text, details: fc.dictionary(text, detail) });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 50 }), async (entries) => {
        await append(
          taken,
          entries.map(({ id, note, requestId, details }) => ({
            ...entryOf(id, details),
            act: { ...operatorAct("jana"), requestId: requestId.replaceAll("\0", ""), note },
          })),
        );
        await sealAll(taken);
      }),
      { numRuns: 20 },
    );
    const check = await checkAudit(taken, head);
    expect(check).to.deep.include({ broken: undefined });
    expect(check.unsealed.entries).to.equal(0);
    expect(check.intactThrough.sequence).to.be.greaterThan(ENTRIES + 20);
  });
});
