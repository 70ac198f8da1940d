import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { appendAudit } from "../../packages/auth/src/audit/append-audit-postgres.ts";
import type { AuditDetails, AuditEntry } from "../../packages/auth/src/audit/audit-entry.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";

const entryOf = (id: string, details: AuditDetails = {}): AuditEntry => ({
  act: { actor: { kind: "psu", psu: parsePsuId("psu") }, requestId: `call of ${id}` },
  action: "consent.given",
  subject: { kind: "consent", id },
  details,
});

describe("The audit log", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const append = (entries: readonly AuditEntry[], database = databases[0]) =>
    database.transaction((queries) => appendAudit(queries, entries));
  const run = <Row>(text: string, values: readonly unknown[] = []) =>
    databases[0].run<Row>({ name: "", text, values });

  it("keeps who, what, which certificate and request id, and canonical details", async () => {
    const details = {
      services: ["aisp"],
      accounts: 2,
      cut: `${"x".repeat(499)}\u{1f600}`,
      "a\0": null,
      nul: "\0",
    };
    await append([entryOf("a", details)]);
    const [row] = await run<object>("SELECT * FROM audit_entry WHERE subject = 'a'");
    expect(row).to.deep.include({
      actor_kind: "psu",
      actor: "psu",
      certificate: null,
      request_id: "call of a",
      action: "consent.given",
      subject_kind: "consent",
      details: `{"a\\u0000":null,"accounts":2,"cut":"${"x".repeat(499)}\ufffd","nul":"\ufffd","services":["aisp"]}`,
      sequence: null,
    });
  });

  it("leaves no entry of a transaction that was undone", async () => {
    const undone = databases[0].transaction(async (queries) => {
      await appendAudit(queries, [entryOf("undone")]);
      throw new Error("undone");
    });
    await rejectionOf(undone);
    expect(await run("SELECT id FROM audit_entry WHERE subject = 'undone'")).to.deep.equal([]);
  });

  it("refuses to change, delete, truncate, or take entries that are sealed already", async () => {
    await append([entryOf("kept")]);
    for (const text of [
      "UPDATE audit_entry SET actor = 'other'",
      "UPDATE audit_entry SET sequence = 1, hash = '', details = '{}'",
      "DELETE FROM audit_entry",
      "TRUNCATE audit_entry",
      "DELETE FROM audit_chain",
      "TRUNCATE audit_chain",
      "UPDATE audit_chain SET head_sequence = -1",
      `INSERT INTO audit_entry (actor_kind, actor, action, subject_kind, subject, details, sequence, hash)
        VALUES ('psu', 'psu', 'a', 'b', 'c', '{}', 1, '')`,
    ]) {
      expect(await rejectionOf(run(text)), text).to.include({ code: "42501" });
    }
  });
});
