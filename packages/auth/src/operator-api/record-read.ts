import type { Queries } from "@cobs/service-edge";
import type { OperatorAct } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditDetails, AuditSubject } from "../audit/audit-entry.ts";

/** Data that an operator has read. */
export interface ReadByOperator {
  /** Whose data it is, as far as the request says. */
  readonly subject: AuditSubject;
  readonly details: AuditDetails;
}

/** Records that an operator read personal data, before the answer is sent: what cannot be recorded is not shown. */
export type RecordRead = (act: OperatorAct, read: ReadByOperator) => Promise<void>;

/** Creates a record of reads in the audit log. */
export function createReadRecord(queries: Queries): RecordRead {
  return (act, read) => appendAudit(queries, [{ act, action: "operator.read", ...read }]);
}
