import type { Database, Queries } from "@cobs/service-edge";
import { IS_INSTANT_SQL } from "./is-instant-sql.ts";
import { lockPayment, makeMove, proveLocked } from "./move-payment-postgres.ts";
import { type ApprovedPayment, type PaymentStateName, STATES_BEFORE_BANK } from "./payment.ts";
import type { PaymentId } from "./payment-ids.ts";
import type { PaymentMove } from "./payment-moves.ts";
import { describeMove } from "./payment-record.ts";
import { type PaymentRow, readState, readTerms } from "./payment-row.ts";
import type { DueTime, HandOver, Lease, LeaseTerms, PaymentAct, Settlement } from "./payment-store.ts";
import { addLines, parametersOfLine, valuesOfLine } from "./write-record-postgres.ts";

interface LeaseRow {
  readonly payment_id: PaymentId;
  readonly attempts: number;
  readonly state: Lease["state"];
  readonly moved_at: Date;
  readonly taken_at: Date;
  readonly execution_date: string;
  readonly is_instant: boolean;
}

/** Which payments are taken: those that wait for a step, or instant ones, whichever step they wait for. */
export interface WantedPayments {
  readonly step: "hand_over" | "settle" | "any of an instant one";
  readonly terms: LeaseTerms;
}

/** Takes the payments that are due for a step, and skips those that another caller is taking or moving at this moment. */
export async function takeDue(queries: Queries, { step, terms }: WantedPayments): Promise<readonly Lease[]> {
  const values = [terms.limit, terms.leaseMilliseconds];
  const statement =
    step === "any of an instant one" ? { ...TAKE_INSTANT, values } : { ...TAKE, values: [...values, step] };
  const rows = await queries.run<LeaseRow>(statement);
  return rows.map((row) => ({
    paymentId: row.payment_id,
    state: row.state,
    since: row.moved_at,
    takenAt: row.taken_at,
    attempt: row.attempts,
    executionDate: row.execution_date,
    isInstant: row.is_instant,
  }));
}

/**
 * When a place is due again, by the database's clock alone: a process whose own clock is ahead of another's would otherwise
 * take what that one still works on, and send an order that is on its way.
 */
const dueAfter = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;

// As an array, the ids are looked for once. With `IN`, a plan made while nothing waited would take as many again for each
// row.
const takeWhere = (
  isWanted: string,
) => `UPDATE payment_outbox AS due SET due_at = ${dueAfter("$2")}, attempts = attempts + 1
    FROM payment
    WHERE due.payment_id = ANY (ARRAY(
        SELECT payment_id FROM payment_outbox WHERE ${isWanted} AND due_at <= now()
        ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
      AND payment.payment_id = due.payment_id
    RETURNING due.payment_id, attempts, state, moved_at, now() AS taken_at, to_char(execution_date, 'YYYY-MM-DD') AS execution_date,
      ${IS_INSTANT_SQL} AS is_instant`;

const TAKE = { name: "payment-take-due", text: takeWhere("step = $3") };
const TAKE_INSTANT = { name: "payment-take-instant", text: takeWhere("is_instant") };

/** The time that {@link valuesOfDue} describes; `first` is the number of its first parameter. A notBefore of NULL is passed over. */
const dueAt = (first: number) => `greatest(${dueAfter(`$${first}`)}, $${first + 1}::timestamptz)`;

/** The parameters of {@link dueAt}. */
function valuesOfDue({ afterMilliseconds, notBefore }: DueTime): readonly unknown[] {
  return [afterMilliseconds, notBefore];
}

/** Postpones a payment, if the caller still has the lease. */
export async function postpone(queries: Queries, { paymentId, attempt }: Lease, due: DueTime): Promise<void> {
  const values = [paymentId, attempt, ...valuesOfDue(due)];
  await queries.run({ ...POSTPONE, values });
}

const POSTPONE = {
  name: "payment-postpone",
  text: `UPDATE payment_outbox SET due_at = ${dueAt(3)} WHERE payment_id = $1 AND attempts = $2`,
};

/** Locks a payment and its place before the bank; undefined when the caller no longer has the lease. */
async function lockLeased(queries: Queries, { paymentId, attempt }: Lease): Promise<PaymentRow | undefined> {
  const row = await lockPayment(queries, paymentId);
  const text = "SELECT FROM payment_outbox WHERE payment_id = $1 AND attempts = $2 FOR UPDATE";
  const held = await queries.run({ name: "payment-lock-outbox", text, values: [paymentId, attempt] });
  return held.length === 1 ? row : undefined;
}

/** Records that an order goes to the bank, after proving that it is the approved one. */
export function handOver(database: Database, lease: Lease, act: PaymentAct): Promise<HandOver> {
  return database.transaction(async (queries) => {
    const row = await lockLeased(queries, lease);
    // Another caller has sent it meanwhile, so it must be looked up first.
    if (row === undefined || row.state !== lease.state) return { result: "lost" };
    const orderDigest = await proveLocked(queries, row);
    if (orderDigest !== undefined) {
      const moved = await makeMove(queries, { row, move: { move: "hand_over", orderDigest } }, act);
      if ("state" in moved) return { result: "handed_over", payment: requireApproved(moved.row) };
    }
    const move = { move: "refuse_execution", reason: "digest_mismatch", orderDigest } as const;
    return (await end(queries, { row, move }, act)) ? { result: "refused" } : { result: "lost" };
  });
}

/** Removes a place before the bank that no approval has given. */
export function refuseLease(database: Database, lease: Lease, act: PaymentAct): Promise<"refused" | "lost"> {
  return database.transaction(async (queries) => {
    const row = await lockLeased(queries, lease);
    if (row === undefined || isBeforeBank(row.state)) return "lost";
    await queries.run({ ...REFUSE_LEASE, values: [row.payment_id, act.now, ...valuesOfLine(REFUSED, act)] });
    await leaveOutbox(queries, row.payment_id);
    return "refused";
  });
}

/** Whether a payment in this state waits for the bank. */
function isBeforeBank(state: PaymentStateName): boolean {
  const states: readonly PaymentStateName[] = STATES_BEFORE_BANK;
  return states.includes(state);
}

const REFUSED = describeMove({ move: "refuse_execution", reason: "not_approved" });

const REFUSE_LEASE = {
  name: "payment-refuse-lease",
  text: `WITH refused AS (UPDATE payment SET moves = moves + 1 WHERE payment_id = $1 RETURNING payment_id, moves, state)
    ${addLines({ from: "refused", line: parametersOfLine(3), at: "$2", before: "state" })}`,
};

function requireApproved(row: PaymentRow): ApprovedPayment {
  const state = readState(row);
  if (state.state !== "handed_over") throw new TypeError("what is handed over was approved");
  return { ...readTerms(row), ...state };
}

/** Records that the bank has accepted an order. */
export function takeAcceptance(
  database: Database,
  { lease, look }: { readonly lease: Lease; readonly look: DueTime },
  act: PaymentAct,
): Promise<"moved" | "lost"> {
  return database.transaction(async (queries) => {
    const row = await lockLeased(queries, lease);
    if (row === undefined) return "lost";
    const moved = await makeMove(queries, { row, move: { move: "accept" } }, act);
    if ("refused" in moved) return "lost";
    await queries.run({ ...AWAIT_SETTLEMENT, values: [lease.paymentId, ...valuesOfDue(look)] });
    return "moved";
  });
}

const AWAIT_SETTLEMENT = {
  name: "payment-await-settlement",
  text: `UPDATE payment_outbox SET step = 'settle', due_at = ${dueAt(2)} WHERE payment_id = $1`,
};

/** Records how the bank has ended an order. */
export function takeSettlement(
  database: Database,
  { lease, settlement }: { readonly lease: Lease; readonly settlement: Settlement },
  act: PaymentAct,
): Promise<"moved" | "lost"> {
  return database.transaction(async (queries) => {
    const row = await lockLeased(queries, lease);
    const move = moveOf(settlement);
    return row !== undefined && (await end(queries, { row, move }, act)) ? "moved" : "lost";
  });
}

function moveOf(settlement: Settlement): PaymentMove {
  if (settlement.outcome === "rejected") return { move: "reject", reason: settlement.reason };
  return { move: "complete", entryReference: settlement.entryReference };
}

/** Makes the last move of a payment, after which there is nothing to ask the bank. */
async function end(
  queries: Queries,
  { row, move }: { readonly row: PaymentRow; readonly move: PaymentMove },
  act: PaymentAct,
): Promise<boolean> {
  const moved = await makeMove(queries, { row, move }, act);
  if ("refused" in moved) return false;
  await leaveOutbox(queries, row.payment_id);
  return true;
}

async function leaveOutbox(queries: Queries, paymentId: PaymentId): Promise<void> {
  const text = "DELETE FROM payment_outbox WHERE payment_id = $1";
  await queries.run({ name: "payment-leave-outbox", text, values: [paymentId] });
}
