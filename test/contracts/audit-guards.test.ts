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
import { append, entryOf, forge, sealAll } from "./audit-entries.ts";
import { operatorAct } from "./test-acts.ts";

const REFUSED = "42501";
const ENTRIES = 4;
const SEALED = ENTRIES - 1;
const NO_HASH = "decode(repeat('ab', 32), 'hex')";
const NEXT = `UPDATE audit_entry SET sequence = ${SEALED + 1}, hash = ${NO_HASH} WHERE sequence IS NULL`;
const entryWith = (columns: string, values: string) =>
  `INSERT INTO audit_entry (actor_kind, actor, action, subject_kind, subject, ${columns}) OVERRIDING SYSTEM VALUE
    VALUES ('psu', 'psu', 'consent.given', 'consent', 'new', ${values})`;

/** What somebody may try who acts as a process and owns no table; several statements are one transaction. */
const ATTACKS: Readonly<Record<string, readonly string[]>> = {
  "gives an entry a number before the first": [
    "UPDATE audit_entry SET sequence = -7, hash = '' WHERE sequence IS NULL",
  ],
  "gives an entry the number 0": ["UPDATE audit_entry SET sequence = 0, hash = '' WHERE sequence IS NULL"],
  "gives an entry a number far behind the head": [
    "UPDATE audit_entry SET sequence = 1000, hash = '' WHERE sequence IS NULL",
  ],
  "seals an entry without the head": [NEXT],
  "seals an entry with a hash that is none": [
    NEXT,
    `UPDATE audit_chain SET head_sequence = ${SEALED + 1}, head_hash = ${NO_HASH}`,
  ],
  "seals an entry behind a gap": [
    "UPDATE audit_entry SET sequence = 9, hash = sha256('x') WHERE sequence IS NULL",
    "UPDATE audit_chain SET head_sequence = 9, head_hash = sha256('x')",
  ],
  "takes a seal away": [`UPDATE audit_entry SET sequence = NULL, hash = NULL WHERE sequence = ${SEALED}`],
  "changes an entry with its seal": [NEXT.replace("SET", "SET actor = 'nobody',")],
  "changes an unsealed entry": ["UPDATE audit_entry SET actor = 'nobody' WHERE sequence IS NULL"],
  "changes a sealed entry": [`UPDATE audit_entry SET actor = 'nobody' WHERE sequence = ${SEALED}`],
  "changes an entry by adding it again": [
    `INSERT INTO audit_entry OVERRIDING SYSTEM VALUE SELECT id, recorded_at, actor_kind, actor, certificate, request_id,
      action, subject_kind, subject, details FROM audit_entry WHERE true ON CONFLICT (id) DO UPDATE SET actor = 'nobody'`,
  ],
  "changes an entry by merging it": [
    `MERGE INTO audit_entry USING audit_chain ON audit_entry.sequence = head_sequence
      WHEN MATCHED THEN UPDATE SET actor = 'nobody'`,
  ],
  "deletes an unsealed entry": ["DELETE FROM audit_entry WHERE sequence IS NULL"],
  "deletes a sealed entry": [`DELETE FROM audit_entry WHERE sequence = ${SEALED}`],
  "deletes all entries at once": ["TRUNCATE audit_entry"],
  "deletes the head": ["DELETE FROM audit_chain"],
  "sets the head back": [
    "UPDATE audit_chain SET (head_sequence, head_hash) = (SELECT sequence, hash FROM audit_entry WHERE sequence = 1)",
  ],
  "moves the head to where there is no entry": [`UPDATE audit_chain SET head_sequence = ${SEALED + 1}`],
  "gives the head another hash": ["UPDATE audit_chain SET head_hash = sha256('x')"],
  "says that all was archived": [
    "UPDATE audit_chain SET archived_sequence = head_sequence, archived_hash = head_hash",
  ],
  "says that what is old was archived with another hash": [
    "UPDATE audit_chain SET archived_sequence = 1, archived_hash = sha256('x')",
  ],
  "says that the chain begins with another hash": ["UPDATE audit_chain SET archived_hash = sha256('x')"],
  "says that what a day is left of was archived": [
    "UPDATE audit_chain SET (archived_sequence, archived_hash) = (SELECT sequence, hash FROM audit_entry WHERE sequence = 2)",
  ],
  "adds a sealed entry": [entryWith("details, sequence, hash", "'{}', 4, sha256('x')")],
  "adds an entry of a time behind which no search goes on": [
    entryWith("details, recorded_at", "'{}', 'infinity'"),
  ],
  "adds an entry of a year with five digits": [entryWith("details, recorded_at", "'{}', '10000-01-01'")],
  "adds an entry of a year before our era": [entryWith("details, recorded_at", "'{}', '0044-03-15 BC'")],
  "adds an entry of tomorrow": [
    entryWith("details, recorded_at", "'{}', clock_timestamp() + interval '1 day'"),
  ],
  "adds an entry with a number behind which no search goes on": [entryWith("details, id", "'{}', -1")],
  "adds an entry with the last number that there is": [entryWith("details, id", "'{}', 9223372036854775807")],
  "adds an entry with the number of one that is still to come": [
    entryWith("details, id", `'{}', ${ENTRIES + 1}`),
  ],
  "adds an entry whose details are no object": [entryWith("details", "'[]'")],
  "adds an entry with more details than any has": [
    entryWith("details", `json_build_object('text', repeat('x', 150000))`),
  ],
  "adds an entry of an actor with a name that nobody has": [
    entryWith("details", "'{}'").replace("'psu', 'psu'", "'psu', repeat('x', 2001)"),
  ],
  "adds an entry about something with a name that nothing has": [
    entryWith("details", "'{}'").replace("'new'", "repeat('x', 2001)"),
  ],
  "adds an entry of an act with a name that none has": [
    entryWith("details", "'{}'").replace("'consent.given'", "repeat('x', 301)"),
  ],
  "adds an entry about something of a kind that there is not": [
    entryWith("details", "'{}'").replace("'consent',", "repeat('x', 301),"),
  ],
  "adds an entry with a certificate that is none": [
    entryWith("details, certificate", "'{}', repeat('x', 301)"),
  ],
  "adds an entry of a call with a name that none has": [
    entryWith("details, request_id", "'{}', repeat('x', 301)"),
  ],
  "switches the triggers off": ["ALTER TABLE audit_entry DISABLE TRIGGER ALL"],
  "switches all triggers off": ["SET session_replication_role = replica"],
  "makes a trigger do something else": [
    "CREATE OR REPLACE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
  ],
  "makes a table of the same name": ["CREATE TEMPORARY TABLE audit_chain ()"],
};

describe("Whoever acts as a process, and owns nothing,", () => {
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
    it(`hides and changes no entry who ${what}`, async () => {
      expect(await rejectionOf(attack(statements)), what).to.include({ code: REFUSED });
      await expectAllThere();
    });

  it("adds no entry with details that nobody can read", async () => {
    expect(await rejectionOf(attack([entryWith("details", "'no JSON'")]))).to.include({ code: "22P02" });
    await expectAllThere();
  });

  // From PostgreSQL 18 on, which is so told: there the abbreviations of the session's time zone come first.
  it("leads no search to another time than an entry has, by a time zone that is called UTC and is another", async () => {
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

  it("is not helped by who makes earlier migrations run again", async () => {
    await attack(["DELETE FROM schema_migration WHERE name LIKE '0089%'"]);
    await migrateDatabase({
      url: new Secret(ownerUrl),
      directory: MIGRATIONS_DIRECTORY,
      log: readableLog().log,
    });
    for (const what of ["gives an entry a number before the first", "says that all was archived"])
      expect(await rejectionOf(attack(ATTACKS[what] ?? [])), what).to.include({ code: REFUSED });
  });

  it("is not helped by a table of the same name, which one who may make it has", async () => {
    const forgotten = attack(
      [
        "CREATE TEMPORARY TABLE audit_chain AS SELECT 1000 AS archived_sequence, -10 AS head_sequence",
        "DELETE FROM audit_entry WHERE sequence = 1",
      ],
      owner,
    );
    expect(await rejectionOf(forgotten)).to.include({ code: REFUSED });
  });

  it("seals, archives what is old, and deletes that alone", async () => {
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

  it("adds entries in many calls at once, and with a number that a change has left out that failed", async () => {
    await rejectionOf(attack([entryWith("details", "'[]'")]));
    const added = Array.from({ length: 50 }, (_, nth) => append(taken, [entryOf(`at once ${nth}`)]));
    await Promise.all([...added, attack([entryWith("details, id", `'{}', ${ENTRIES + 1}`)])]);
    await sealAll(taken);
    const check = await checkAudit(taken, head);
    expect(check).to.deep.include({ broken: undefined });
    expect(check.intactThrough.sequence).to.equal(ENTRIES + 51);
  });

  it("adds and seals the largest entry that there is, of two registrations with the whole of a body", async () => {
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

  it("seals entries of any text, whose canonical form the database knows", async () => {
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
