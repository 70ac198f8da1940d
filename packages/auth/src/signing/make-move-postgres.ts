import type { Queries, Statement } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { CODE_LIFETIME_MILLISECONDS } from "./bound-code.ts";
import type { KeptCause, SigningMove, SigningRequest, SigningTerms } from "./signing-request.ts";
import { readSigningRequest, SIGNING_COLUMNS, type SigningRow, WITHOUT_CODE } from "./signing-row.ts";
import type { SigningAct } from "./signing-store.ts";
import { eventsOf, presentEntry } from "./tell-move.ts";

// The caller has locked the row; the statement checks again that it still waits.
const end = (set: string) => `UPDATE signing_request SET decided_at = $2, ${WITHOUT_CODE}, ${set}
  WHERE id = $1 AND state = 'waiting' RETURNING ${SIGNING_COLUMNS}`;
const stay = (set: string) => `UPDATE signing_request SET ${set}
  WHERE id = $1 AND state = 'waiting' RETURNING ${SIGNING_COLUMNS}`;

const APPROVE = end("state = 'approved', approval_id = $3, approval_digest = $4, approval_methods = $5");
const REFUSE = end("state = 'refused', refusal = $3");
const CANCEL = end("state = 'cancelled', cancelled_because = $3");
const EXPIRE = end("state = 'expired'");
const COUNT_TRY = stay("tries = tries + 1");
const REPLACE_CODE = stay(`code_hash = $2, code_browser_hash = $3, code_expires_at = $4,
  code_over_at = now() + $5 * interval '1 millisecond', codes_made = codes_made + 1`);
const DROP_CODE = stay(`${WITHOUT_CODE}, codes_made = codes_made - 1`);

function statementOf({ id, expiresAt }: SigningTerms, move: SigningMove, now: Date): Statement {
  switch (move.move) {
    case "approve": {
      const { id: approval, digest, methods } = move.approval;
      return { name: "signing-approve", text: APPROVE, values: [id, now, approval, digest, methods] };
    }
    case "refuse":
      return { name: "signing-refuse", text: REFUSE, values: [id, now, move.reason] };
    case "cancel": {
      const kept: KeptCause | null = move.because === "consent_ended" ? move.because : null;
      return { name: "signing-cancel", text: CANCEL, values: [id, now, kept] };
    }
    case "expire":
      return { name: "signing-expire", text: EXPIRE, values: [id, expiresAt] };
    case "count_try":
      return { name: "signing-count-try", text: COUNT_TRY, values: [id] };
    case "replace_code": {
      const { hash, browserHash, expiresAt: codeEnd } = move.code;
      const values = [id, hash, browserHash, codeEnd, CODE_LIFETIME_MILLISECONDS];
      return { name: "signing-replace-code", text: REPLACE_CODE, values };
    }
    case "drop_code":
      return { name: "signing-drop-code", text: DROP_CODE, values: [id] };
  }
}

/** Runs a statement that gives at most one request, and reads it. */
export async function readOne(queries: Queries, statement: Statement): Promise<SigningRequest | undefined> {
  const [row] = await queries.run<SigningRow>(statement);
  return row && readSigningRequest(row);
}

/** A move, and who makes it. */
export interface Decided {
  readonly move: SigningMove;
  readonly by: SigningAct;
}

/** Makes a move of a request whose row is locked, with its audit entry and its events. */
export async function makeMove(
  queries: Queries,
  request: SigningRequest,
  { move, by }: Decided,
): Promise<SigningRequest> {
  const moved = await readOne(queries, statementOf(request, move, by.now));
  if (moved === undefined) throw new Error("a signing request changed under its lock");
  await appendAudit(queries, [presentEntry(moved, move, by.act)]);
  await appendEvents(queries, eventsOf(moved, move));
  return moved;
}

/** How the block of its certificate ends an order. */
export const OF_BLOCKED_CERTIFICATE: SigningMove = { move: "cancel", because: "certificate_blocked" };

/** A part of the server that ends orders. */
export type ServerPart = "signing expiry" | "end of consent" | "stop list";

/** Attributes a move to a part of the server, inside another actor's request: that actor did not decide it. */
export function byServer({ act, now }: SigningAct, part: ServerPart): SigningAct {
  return { act: { actor: { kind: "server", part }, requestId: act.requestId }, now };
}
