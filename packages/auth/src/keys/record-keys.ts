import type { Act } from "../audit/act.ts";
import type { AuditAction, AuditEntry } from "../audit/audit-entry.ts";
import type { KeyFacts } from "./server-key.ts";

/** The act that makes keys by age, or at the first start. */
export const KEY_ROTATION: Act = { actor: { kind: "server", part: "key rotation" }, requestId: undefined };

/** Builds the audit entry of a key's change, without its secret. */
export function recordKey(act: Act, action: AuditAction, key: KeyFacts): AuditEntry {
  const details = { use: key.use, state: key.state, signsFrom: key.signsFrom.toISOString() };
  return { act, action, subject: { kind: "key", id: key.kid }, details };
}
