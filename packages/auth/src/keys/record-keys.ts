import type { Act } from "../audit/act.ts";
import type { AuditAction, AuditEntry } from "../audit/audit-entry.ts";
import type { KeyFacts } from "./server-key.ts";

/** The act in which keys are made by age, or at the first start. */
export const KEY_ROTATION: Act = { actor: { kind: "server", part: "key rotation" }, requestId: undefined };

/** The entry of what became of a key; nothing of its secret. */
export function recordKey(act: Act, action: AuditAction, key: KeyFacts): AuditEntry {
  const details = { use: key.use, state: key.state, signsFrom: key.signsFrom.toISOString() };
  return { act, action, subject: { kind: "key", id: key.kid }, details };
}
