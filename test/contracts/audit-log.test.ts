import { createSecretKey } from "node:crypto";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { appendAudit } from "../../packages/auth/src/audit/append-audit-postgres.ts";
import type { AuditEntry } from "../../packages/auth/src/audit/audit-entry.ts";
import { createKeyStore } from "../../packages/auth/src/keys/key-store-postgres.ts";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { rejectionOf } from "../support/rejection.ts";
import { entryOf } from "./audit-entries.ts";
import { twoProcesses } from "./auth-database.ts";

describe("Audit log", () => {
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
      many: Array.from({ length: 201 }, () => "x".repeat(501)),
      Accounts: 3,
      accounts: 2,
      cut: `${"x".repeat(499)}\u{1f600}`,
      "a\0": null,
      nul: "\0",
    };
    await append([entryOf("a", details)]);
    const [row] = await run<object>("SELECT * FROM audit_entry WHERE subject = 'a'");
    const many = `"many":${JSON.stringify(Array.from({ length: 200 }, () => "x".repeat(500)))}`;
    expect(row).to.deep.include({
      actor_kind: "psu",
      actor: "psu",
      certificate: null,
      request_id: "call of a",
      action: "consent.given",
      subject_kind: "consent",
      details: `{"Accounts":3,"a\\u0000":null,"accounts":2,"cut":"${"x".repeat(499)}\ufffd",${many},"nul":"\ufffd","services":["aisp"]}`,
      sequence: null,
    });
  });

  it("keeps no entry of a transaction that was rolled back", async () => {
    const undone = databases[0].transaction(async (queries) => {
      await appendAudit(queries, [entryOf("undone")]);
      throw new Error("undone");
    });
    await rejectionOf(undone);
    expect(await run("SELECT id FROM audit_entry WHERE subject = 'undone'")).to.deep.equal([]);
  });

  it("refuses to change, delete or truncate sealed entries, or to take already sealed ones", async () => {
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

  it("names the TPP register as the actor that blocks and releases, without a request id", async () => {
    const stopList = createStopList(databases[0]);
    const tpp = {
      kind: "organisation",
      key: parseOrganisationIdentifier("PSDCZ-CNB-7"),
      by: "register",
    } as const;
    await stopList.block({ ...tpp, reason: "withdrawn" });
    await stopList.block({ ...tpp, reason: "withdrawn" });
    await stopList.release(tpp);
    const rows = await run<object>(
      "SELECT actor_kind, actor, request_id, action, details FROM audit_entry WHERE subject = 'PSDCZ-CNB-7' ORDER BY id",
    );
    const register = { actor_kind: "server", actor: "TPP register", request_id: null };
    expect(rows).to.deep.equal(
      ["tpp.blocked", "tpp.released"].map((action) => ({
        ...register,
        action,
        details: '{"reason":"withdrawn"}',
      })),
    );
  });

  it("records the end of a key once its secret is destroyed", async () => {
    const lifetimes = { lifetimeSeconds: 600, announcedSeconds: 10, retiredSeconds: 1 };
    const terms = { signing: lifetimes, cookie: lifetimes };
    const keys = createKeyStore(databases[0], { sealingKey: createSecretKey(Buffer.alloc(32, 1)), terms });
    await keys.begin("signing", []);
    const [key] = await keys.list();
    await run("UPDATE server_key SET retires_at = now() - interval '2 s', ends_at = now() - interval '1 s'");
    await Promise.all(databases.map((database) => cleanExpired(database)));
    await cleanExpired(databases[0]);
    const rows = await run<object>(
      "SELECT actor, subject, details FROM audit_entry WHERE action = 'key.retired'",
    );
    expect(rows).to.deep.equal([{ actor: "key rotation", subject: key?.kid, details: '{"use":"signing"}' }]);
  });

  it("takes thousands of entries for one change", async () => {
    await append(Array.from({ length: 2_500 }, () => entryOf("one of many")));
    const rows = await run<object>("SELECT id FROM audit_entry WHERE subject = 'one of many'");
    expect(rows).to.have.length(2_500);
  });
});
