import { parsePsuId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { appendAudit } from "../../packages/auth/src/audit/append-audit-postgres.ts";
import type { AuditDetails, AuditEntry } from "../../packages/auth/src/audit/audit-entry.ts";
import { SEAL_BATCH_ENTRIES, sealBatch } from "../../packages/auth/src/audit/seal-audit-postgres.ts";

/** An entry about a consent. */
export const entryOf = (id: string, details: AuditDetails = {}): AuditEntry => ({
  act: { actor: { kind: "psu", psu: parsePsuId("psu") }, requestId: `call of ${id}` },
  action: "consent.given",
  subject: { kind: "consent", id },
  details,
});

/** Appends entries in a transaction of their own. */
export const append = (database: Database, entries: readonly AuditEntry[]): Promise<void> =>
  database.transaction((queries) => appendAudit(queries, entries));

/** Runs any statement. */
export const runOn = <Row>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => database.run<Row>({ name: "", text, values });

/** Seals all existing entries. */
export async function sealAll(database: Database): Promise<void> {
  while ((await sealBatch(database)) === SEAL_BATCH_ENTRIES);
}

/** Runs statements as the owner of the tables, whom their triggers do not stop. */
export async function forge(database: Database, statements: readonly string[]): Promise<void> {
  const switched = (how: "DISABLE" | "ENABLE") =>
    ["audit_entry", "audit_chain"].map((table) => `ALTER TABLE ${table} ${how} TRIGGER USER`);
  await database.transaction(async (queries) => {
    for (const text of [...switched("DISABLE"), ...statements, ...switched("ENABLE")]) {
      await queries.run({ name: "", text, values: [] });
    }
  });
}
