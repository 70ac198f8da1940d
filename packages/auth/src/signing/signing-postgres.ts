import type { Database, Queries, Statement } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import type { SigningMove, SigningRequest, SigningTerms } from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import { readSigningRequest, SIGNING_COLUMNS, type SigningRow } from "./signing-row.ts";
import type { RequestOutcome, SigningAct, SigningStore } from "./signing-store.ts";
import { eventsOf, presentEntry } from "./tell-move.ts";

const ADD = `INSERT INTO signing_request (id, payment_id, sign_id, psu_id, organisation_identifier, application_id,
    return_url, order_text, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (payment_id, sign_id) DO NOTHING RETURNING ${SIGNING_COLUMNS}`;

const FIND = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE id = $1`;
const LOCK = `${FIND} FOR UPDATE`;
const FIND_SAME = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE payment_id = $1 AND sign_id = $2`;
const LOCK_DUE = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE state = 'waiting' AND expires_at <= $1
  ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED`;

// The row is locked by whoever moves it; that it still waits is proven once more, by the statement itself.
const end = (set: string) => `UPDATE signing_request
  SET decided_at = $2, code_hash = NULL, code_browser_hash = NULL, code_expires_at = NULL, ${set}
  WHERE id = $1 AND state = 'waiting' RETURNING ${SIGNING_COLUMNS}`;
const stay = (set: string) => `UPDATE signing_request SET ${set}
  WHERE id = $1 AND state = 'waiting' RETURNING ${SIGNING_COLUMNS}`;

const APPROVE = end("state = 'approved', approval_id = $3, approval_digest = $4, approval_methods = $5");
const REFUSE = end("state = 'refused', refusal = $3");
const CANCEL = end("state = 'cancelled'");
const EXPIRE = end("state = 'expired'");
const COUNT_TRY = stay("tries = tries + 1");
const REPLACE_CODE = stay(
  "code_hash = $2, code_browser_hash = $3, code_expires_at = $4, codes_made = codes_made + 1",
);

function statementOf(id: SigningRequestId, move: SigningMove, now: Date): Statement {
  switch (move.move) {
    case "approve": {
      const { id: approval, digest, methods } = move.approval;
      return { name: "signing-approve", text: APPROVE, values: [id, now, approval, digest, methods] };
    }
    case "refuse":
      return { name: "signing-refuse", text: REFUSE, values: [id, now, move.reason] };
    case "cancel":
      return { name: "signing-cancel", text: CANCEL, values: [id, now] };
    case "expire":
      return { name: "signing-expire", text: EXPIRE, values: [id, now] };
    case "count_try":
      return { name: "signing-count-try", text: COUNT_TRY, values: [id] };
    case "replace_code": {
      const { hash, browserHash, expiresAt } = move.code;
      return { name: "signing-replace-code", text: REPLACE_CODE, values: [id, hash, browserHash, expiresAt] };
    }
  }
}

async function readOne(queries: Queries, statement: Statement): Promise<SigningRequest | undefined> {
  const [row] = await queries.run<SigningRow>(statement);
  return row && readSigningRequest(row);
}

async function makeMove(
  queries: Queries,
  { id }: SigningRequest,
  { move, by }: { readonly move: SigningMove; readonly by: SigningAct },
): Promise<SigningRequest> {
  const moved = await readOne(queries, statementOf(id, move, by.now));
  if (moved === undefined) throw new Error("a signing request changed under its lock");
  await appendAudit(queries, [presentEntry(moved, move, by.act)]);
  await appendEvents(queries, eventsOf(moved, move));
  return moved;
}

function isSame(one: SigningRequest, other: SigningTerms): boolean {
  const named = ["psu", "organisationIdentifier", "applicationId", "returnUrl"] as const;
  return one.order.text === other.order.text && named.every((name) => one[name] === other[name]);
}

async function requestIn(queries: Queries, terms: SigningTerms, by: SigningAct): Promise<RequestOutcome> {
  const { id, paymentId, signId, psu, organisationIdentifier, applicationId, returnUrl, order } = terms;
  const who = [psu, organisationIdentifier, applicationId];
  const values = [id, paymentId, signId, ...who, returnUrl, order.text, terms.createdAt, terms.expiresAt];
  const added = await readOne(queries, { name: "signing-add", text: ADD, values });
  if (added !== undefined) {
    await appendAudit(queries, [presentEntry(added, "request", by.act)]);
    return { result: "created", request: added };
  }
  const same = { name: "signing-find-same", text: FIND_SAME, values: [paymentId, signId] };
  const known = await readOne(queries, same);
  const isKnown = known !== undefined && isSame(known, terms);
  return isKnown ? { result: "known", request: asOf(known, by.now) } : { result: "different" };
}

/** A request whose time is over has expired, whether or not that was written. */
function asOf(request: SigningRequest, now: Date): SigningRequest {
  if (request.state !== "waiting" || now < request.expiresAt) return request;
  const { code: _code, codesMade: _codesMade, tries: _tries, ...terms } = request;
  return { ...terms, state: "expired", decidedAt: request.expiresAt };
}

/** Keeps signing requests in PostgreSQL. */
export function createSigningStore(database: Database): SigningStore {
  const find = (id: SigningRequestId) =>
    readOne(database, { name: "signing-find", text: FIND, values: [id] });
  return {
    request: (terms, by) => database.transaction((queries) => requestIn(queries, terms, by)),
    async find(id, now) {
      const request = await find(id);
      return request && asOf(request, now);
    },
    settle: (id, by, decide) =>
      database.transaction(async (queries) => {
        const request = await readOne(queries, { name: "signing-lock", text: LOCK, values: [id] });
        if (request?.state !== "waiting") return request && { request, move: undefined };
        const isOver = by.now >= request.expiresAt;
        const move = isOver ? ({ move: "expire" } as const) : decide(request);
        if (move === undefined) return { request, move };
        const moved = await makeMove(queries, request, { move, by });
        // That the time was over is no move of the caller's.
        return { request: moved, move: isOver ? undefined : move };
      }),
    expire: (by, limit) =>
      database.transaction(async (queries) => {
        const due = { name: "signing-lock-due", text: LOCK_DUE, values: [by.now, limit] };
        const rows = await queries.run<SigningRow>(due);
        const ended: SigningRequest[] = [];
        for (const { id } of rows) {
          const expired = await readOne(queries, statementOf(id, { move: "expire" }, by.now));
          if (expired !== undefined) ended.push(expired);
        }
        const move = { move: "expire" } as const;
        await appendAudit(
          queries,
          ended.map((request) => presentEntry(request, move, by.act)),
        );
        await appendEvents(
          queries,
          ended.flatMap((request) => eventsOf(request, move)),
        );
        return ended.length;
      }),
  };
}
