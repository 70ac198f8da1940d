import { type Database, isDatabaseUnavailable, type Queries, type Statement } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import { admitsWhileStoring } from "../psu-block/psu-blocks-postgres.ts";
import { holdOffBlocks } from "./block-turns-postgres.ts";
import { isOfBlockedCertificate } from "./blocked-certificates-postgres.ts";
import { findKnownSignings } from "./known-signings-postgres.ts";
import { findPaymentConsentEnd, holdPaymentConsent } from "./payment-consent-postgres.ts";
import type {
  KeptCause,
  SigningMove,
  SigningRequest,
  SigningTerms,
  WaitingSigningRequest,
} from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import { readSigningRequest, SIGNING_COLUMNS, type SigningRow } from "./signing-row.ts";
import { findBegunHoldOff, findHoldOff, standingAfter } from "./signing-standing.ts";
import { findStanding, lockStanding, writeStanding } from "./signing-standing-postgres.ts";
import type { RequestOutcome, Settled, SigningAct, SigningStore } from "./signing-store.ts";
import { eventsOf, presentEntry } from "./tell-move.ts";

const ADD = `INSERT INTO signing_request (id, payment_id, sign_id, psu_id, organisation_identifier, application_id,
    certificates, return_url, order_text, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (payment_id, sign_id) DO NOTHING RETURNING ${SIGNING_COLUMNS}`;

const FIND = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE id = $1`;
const LOCK = `SELECT ${SIGNING_COLUMNS}, expires_at <= now() AS is_over FROM signing_request WHERE id = $1 FOR UPDATE`;
const FIND_SAME = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE payment_id = $1 AND sign_id = $2`;
const DUE = `SELECT id, expires_at FROM signing_request WHERE state = 'waiting' AND expires_at <= least($1, now())
  AND (expires_at, id) > ($3::timestamptz, $4) ORDER BY expires_at, id LIMIT $2`;

// The caller has locked the row; the statement checks again that it still waits.
const end = (set: string) => `UPDATE signing_request
  SET decided_at = $2, code_hash = NULL, code_browser_hash = NULL, code_expires_at = NULL, ${set}
  WHERE id = $1 AND state = 'waiting' RETURNING ${SIGNING_COLUMNS}`;
const stay = (set: string) => `UPDATE signing_request SET ${set}
  WHERE id = $1 AND state = 'waiting' RETURNING ${SIGNING_COLUMNS}`;

const APPROVE = end("state = 'approved', approval_id = $3, approval_digest = $4, approval_methods = $5");
const REFUSE = end("state = 'refused', refusal = $3");
const CANCEL = end("state = 'cancelled', cancelled_because = $3");
const EXPIRE = end("state = 'expired'");
const COUNT_TRY = stay("tries = tries + 1");
const REPLACE_CODE = stay(
  "code_hash = $2, code_browser_hash = $3, code_expires_at = $4, codes_made = codes_made + 1",
);
const DROP_CODE = stay(
  "code_hash = NULL, code_browser_hash = NULL, code_expires_at = NULL, codes_made = codes_made - 1",
);
// Not a move: the audit log records every move, and a TPP, which asks as often as it likes, could fill it.
const CHANGE_RETURN = stay("return_url = $2");

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
      return { name: "signing-replace-code", text: REPLACE_CODE, values: [id, hash, browserHash, codeEnd] };
    }
    case "drop_code":
      return { name: "signing-drop-code", text: DROP_CODE, values: [id] };
  }
}

async function readOne(queries: Queries, statement: Statement): Promise<SigningRequest | undefined> {
  const [row] = await queries.run<SigningRow>(statement);
  return row && readSigningRequest(row);
}

interface Decided {
  readonly move: SigningMove;
  readonly by: SigningAct;
}

async function makeMove(
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

/** The return URL is not compared, because it is not part of what the PSU approves (RTS Article 5(1)). */
function isSame(one: SigningRequest, other: SigningTerms): boolean {
  const named = ["psu", "organisationIdentifier", "applicationId"] as const;
  return one.order.text === other.order.text && named.every((name) => one[name] === other[name]);
}

/** Finds what is kept under the same payment and sign id, without a lock; undefined when nothing is. */
async function findKept(queries: Queries, terms: SigningTerms): Promise<RequestOutcome | undefined> {
  const values = [terms.paymentId, terms.signId];
  const kept = await readOne(queries, { name: "signing-find-same", text: FIND_SAME, values });
  if (kept === undefined) return undefined;
  return isSame(kept, terms) ? { result: "known", request: kept } : { result: "different" };
}

/** Runs without a transaction, so that a TPP that repeats one order delays nobody who ends its consent. */
async function findAgain(queries: Queries, terms: SigningTerms): Promise<RequestOutcome | undefined> {
  const kept = await findKept(queries, terms);
  if (kept === undefined) return undefined;
  const end = await findPaymentConsentEnd(queries, terms);
  return end === undefined ? kept : { result: "consent_ended" };
}

async function requestIn(queries: Queries, terms: SigningTerms, by: SigningAct): Promise<RequestOutcome> {
  await holdPaymentConsent(queries, terms);
  const isHeldOff = await holdOffBlocks(queries, terms);
  if ((await findPaymentConsentEnd(queries, terms)) !== undefined) return { result: "consent_ended" };
  const { id, paymentId, signId, psu, organisationIdentifier, applicationId, certificates, order } = terms;
  const who = [psu, organisationIdentifier, applicationId, certificates];
  const what = [terms.returnUrl, order.text, terms.createdAt, terms.expiresAt];
  const values = [id, paymentId, signId, ...who, ...what];
  const added = await readOne(queries, { name: "signing-add", text: ADD, values });
  if (added !== undefined) {
    await appendAudit(queries, [presentEntry(added, "request", by.act)]);
    const isOfBlocked = !isHeldOff || (await isOfBlockedCertificate(queries, added));
    return { result: "created", request: isOfBlocked ? await endAtOnce(queries, added, by) : added };
  }
  const kept = await findKept(queries, terms);
  if (kept === undefined) throw new Error("an existing signing request was not found");
  return kept;
}

const OF_BLOCKED_CERTIFICATE: SigningMove = { move: "cancel", because: "certificate_blocked" };

/** Cancels the order as a block cancels those that it finds. Releasing the block does not bring them back. */
function endAtOnce(queries: Queries, request: SigningRequest, by: SigningAct): Promise<SigningRequest> {
  return makeMove(queries, request, { move: OF_BLOCKED_CERTIFICATE, by: byServer(by, "stop list") });
}

type ServerPart = "signing expiry" | "end of consent" | "stop list";

/** A request whose row is locked, and whether it has expired by the database's clock. */
interface LockedRequest {
  readonly request: WaitingSigningRequest;
  readonly isOver: boolean;
}

/** An end to write, or `undecidable`: what one clock alone says neither ends an order nor lets its PSU decide. */
type Obstacle = { readonly move: SigningMove; readonly part: ServerPart } | "undecidable";

/**
 * Finds what has ended an order, whether or not that was written: its time, or, when its PSU acts, also its consent or
 * certificate.
 */
async function findObstacle(
  queries: Queries,
  { request, isOver }: LockedRequest,
  { act, now }: SigningAct,
): Promise<Obstacle | undefined> {
  const isOverHere = now >= request.expiresAt;
  if (isOverHere && isOver) return { move: { move: "expire" }, part: "signing expiry" };
  if (act.actor.kind !== "psu") return undefined;
  if (isOverHere) return "undecidable";
  const consentEnd = await findPaymentConsentEnd(queries, request);
  if (consentEnd === "ended")
    return { move: { move: "cancel", because: "consent_ended" }, part: "end of consent" };
  if (await isOfBlockedCertificate(queries, request))
    return { move: OF_BLOCKED_CERTIFICATE, part: "stop list" };
  return consentEnd && "undecidable";
}

/** Attributes a move to a part of the server, inside another actor's request: that actor did not decide it. */
function byServer({ act, now }: SigningAct, part: ServerPart): SigningAct {
  return { act: { actor: { kind: "server", part }, requestId: act.requestId }, now };
}

/** Presents an overdue request as expired, whether or not that was written. */
function asOf(request: SigningRequest, now: Date): SigningRequest {
  if (request.state !== "waiting" || now < request.expiresAt) return request;
  const { code: _code, codesMade: _codesMade, tries: _tries, ...terms } = request;
  return { ...terms, state: "expired", decidedAt: request.expiresAt };
}

/** Tells whether the PSU is not blocked. A concurrent block waits for this transaction, or this one sees it. */
async function admits(queries: Queries, { act: { actor }, authenticatedAt }: SigningAct): Promise<boolean> {
  if (actor.kind !== "psu" || authenticatedAt === undefined) return true;
  return admitsWhileStoring(queries, { psu: actor.psu, authenticatedAt });
}

/** Makes the move and counts it, unless the PSU's standing forbids it. */
async function makeCountedMove(
  queries: Queries,
  request: WaitingSigningRequest,
  { move, by, codesPerHour }: Decided & { readonly codesPerHour: number },
): Promise<Settled> {
  const { now, act } = by;
  if (act.actor.kind !== "psu") return { request: await makeMove(queries, request, { move, by }), move };
  const standing = await lockStanding(queries, request.psu);
  const heldOff = findHoldOff(standing, move, { now, codesPerHour });
  if (heldOff !== undefined) return { request, move: undefined, heldOff };
  const next = standingAfter(standing, move, now);
  if (next !== standing) await writeStanding(queries, request.psu, next);
  const moved = { request: await makeMove(queries, request, { move, by }), move };
  const begun = findBegunHoldOff(standing, next);
  return begun === undefined ? moved : { ...moved, heldOff: begun };
}

/** Serialises the decisions of one PSU, because one row counts for all of their orders. */
function deciderOf(id: SigningRequestId, { act: { actor } }: SigningAct): string {
  return actor.kind === "psu" ? actor.psu : id;
}

/** Keeps signing requests in PostgreSQL; a PSU is sent at most `codesPerHour` codes per hour. */
export function createSigningStore(database: Database, codesPerHour: number): SigningStore {
  const find = (id: SigningRequestId) =>
    readOne(database, { name: "signing-find", text: FIND, values: [id] });
  const settleIn = async (queries: Queries, ...[id, by, decide]: Parameters<SigningStore["settle"]>) => {
    const isAdmitted = await admits(queries, by);
    const lock = { name: "signing-lock", text: LOCK, values: [id] };
    const [row] = await queries.run<SigningRow & { readonly is_over: boolean }>(lock);
    const request = row && readSigningRequest(row);
    if (request?.state !== "waiting") return request && { request, move: undefined };
    const obstacle = await findObstacle(queries, { request, isOver: row?.is_over === true }, by);
    if (obstacle === "undecidable") return { request, move: undefined };
    if (obstacle !== undefined) {
      const end = { move: obstacle.move, by: byServer(by, obstacle.part) };
      return { request: await makeMove(queries, request, end), move: undefined };
    }
    const move = isAdmitted ? decide(request) : undefined;
    return move === undefined
      ? { request, move }
      : makeCountedMove(queries, request, { move, by, codesPerHour });
  };
  const settle: SigningStore["settle"] = (id, by, decide) =>
    database.transaction((queries) => settleIn(queries, id, by, decide), `decision of ${deciderOf(id, by)}`);
  return {
    async request(terms, by) {
      const outcome =
        (await findAgain(database, terms)) ??
        (await database.transaction(
          (queries) => requestIn(queries, terms, by),
          `orders of ${terms.applicationId} ${terms.psu}`,
        ));
      if (outcome.result !== "known" || outcome.request.state !== "waiting") return outcome;
      const { id, returnUrl, expiresAt } = outcome.request;
      if (by.now >= expiresAt) {
        const settled = await settle(id, by, () => undefined);
        return { result: "known", request: settled?.request ?? outcome.request };
      }
      if (returnUrl === terms.returnUrl) return outcome;
      const change = { name: "signing-change-return", text: CHANGE_RETURN, values: [id, terms.returnUrl] };
      const changed = await database.transaction(
        (queries) => readOne(queries, change),
        `decision of ${deciderOf(id, by)}`,
      );
      // A request that was decided meanwhile no longer changes.
      const request = changed ?? (await find(id));
      return request === undefined ? outcome : { result: "known", request };
    },
    async find(id, now) {
      const request = await find(id);
      return request && asOf(request, now);
    },
    findKnown: (signings) => findKnownSignings(database, signings),
    settle,
    async findHoldOff(psu, now) {
      const standing = await findStanding(database, psu);
      return standing && findHoldOff(standing, { move: "replace_code" }, { now, codesPerHour });
    },
    findConsentEnd: (payer) => findPaymentConsentEnd(database, payer),
    async expire(by, limit, after) {
      const values = [by.now, limit, after?.expiresAt ?? "-infinity", after?.id ?? ""];
      const due = { name: "signing-due", text: DUE, values };
      const rows = await database.run<Pick<SigningRow, "id" | "expires_at">>(due);
      const failures: unknown[] = [];
      for (const { id } of rows) {
        // One at a time: a request that cannot be read must not keep the others from ending.
        await settle(id, by, () => undefined).catch((error: unknown) => {
          if (isDatabaseUnavailable(error)) throw error;
          failures.push(error);
        });
      }
      const last = rows.length < limit ? undefined : rows.at(-1);
      return { failures, last: last && { expiresAt: last.expires_at, id: last.id } };
    },
  };
}
