import type { Queries } from "@cobs/service-edge";
import type { OperatorAct } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditDetails, AuditSubject } from "../audit/audit-entry.ts";

/** What an operator has looked at. */
export interface ReadByOperator {
  /** Whose data, as far as the question says. */
  readonly subject: AuditSubject;
  readonly details: AuditDetails;
}

/** Records that an operator looked at personal data, before the answer goes out: what is not recorded is not shown. */
export type RecordRead = (act: OperatorAct, read: ReadByOperator) => Promise<void>;

/** Writes reads into the audit log. */
export function createReadRecord(queries: Queries): RecordRead {
  return (act, read) => appendAudit(queries, [{ act, action: "operator.read", ...read }]);
}
