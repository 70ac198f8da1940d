import { type Database, isDatabaseUnavailable, type Queries } from "@cobs/service-edge";
import { isKeptWhileStoring } from "../psu/passkeys/passkey-store-postgres.ts";
import { admitsWhileStoring } from "../psu-block/psu-blocks-postgres.ts";
import { isOfBlockedCertificate } from "./blocked-certificates-postgres.ts";
import { findAgain, requestAgainIn, requestIn, tellsMore } from "./keep-order-postgres.ts";
import { findKnownSignings } from "./known-signings-postgres.ts";
import {
  byServer,
  type Decided,
  makeMove,
  OF_BLOCKED_CERTIFICATE,
  readOne,
  type ServerPart,
} from "./make-move-postgres.ts";
import { findPaymentConsentEnd } from "./payment-consent-postgres.ts";
import type { SigningMove, SigningRequest, WaitingSigningRequest } from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import { readSigningRequest, SIGNING_COLUMNS, type SigningRow } from "./signing-row.ts";
import { findBegunHoldOff, findHoldOff, standingAfter } from "./signing-standing.ts";
import { findStanding, lockStanding, writeStanding } from "./signing-standing-postgres.ts";
import type { Settled, SigningAct, SigningStore } from "./signing-store.ts";

const FIND = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE id = $1`;
const LOCK = `SELECT ${SIGNING_COLUMNS}, expires_at <= now() AS is_over FROM signing_request WHERE id = $1 FOR UPDATE`;
const DUE = `SELECT id, expires_at FROM signing_request WHERE state = 'waiting' AND expires_at <= least($1, now())
  AND (expires_at, id) > ($3::timestamptz, $4) ORDER BY expires_at, id LIMIT $2`;

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

/** Presents an overdue request as expired, whether or not that was written. */
function asOf(request: SigningRequest, now: Date): SigningRequest {
  if (request.state !== "waiting" || now < request.expiresAt) return request;
  const { code: _code, codesMade: _codesMade, tries: _tries, ...terms } = request;
  return { ...terms, state: "expired", decidedAt: request.expiresAt };
}

/**
 * Tells whether the PSU is not blocked, and still has the passkey that has answered. A concurrent block or removal waits for this
 * transaction, or this one sees it.
 */
async function admits(
  queries: Queries,
  { act: { actor }, authenticatedAt, passkey }: SigningAct,
): Promise<boolean> {
  if (actor.kind !== "psu" || authenticatedAt === undefined) return true;
  if (!(await admitsWhileStoring(queries, { psu: actor.psu, authenticatedAt }))) return false;
  return passkey === undefined || isKeptWhileStoring(queries, passkey);
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
      const kept = outcome.request;
      if (by.now >= kept.expiresAt) {
        const settled = await settle(kept.id, by, () => undefined);
        return { result: "known", request: settled?.request ?? kept };
      }
      if (!tellsMore(kept, terms)) return outcome;
      return database.transaction(
        (queries) => requestAgainIn(queries, { id: kept.id, terms }, by),
        `decision of ${deciderOf(kept.id, by)}`,
      );
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
    hasBlockedCertificate: (request) => isOfBlockedCertificate(database, request),
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
