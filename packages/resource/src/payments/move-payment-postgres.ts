import type { Queries, Statement } from "@cobs/service-edge";
import type { MadeMove } from "./made-move.ts";
import type { Payment, PaymentState } from "./payment.ts";
import type { SigningRequestId } from "./payment-ids.ts";
import { type MoveRefusal, movePayment, type PaymentMove } from "./payment-moves.ts";
import { describeMove } from "./payment-record.ts";
import {
  PAYMENT_COLUMNS,
  type PaymentRow,
  readState,
  readTerms,
  STATE_COLUMNS,
  valuesOfState,
} from "./payment-row.ts";
import type { OwnedPayment, PaymentAct } from "./payment-store.ts";
import { proveOrder } from "./prove-order.ts";
import { addLines, parametersOfLine, valuesOfLine } from "./write-record-postgres.ts";

/** Time after a move until a request at auth is first looked up. */
const LOOK_UP_MILLISECONDS = 10_000;

const OWNED = `SELECT ${PAYMENT_COLUMNS} FROM payment
  WHERE payment_id = $1 AND organisation_identifier = $2 AND ($3::text IS NULL OR psu_id = $3) AND state <> 'deleted'`;

/** Finds a payment of this owner and locks its row until the transaction ends. */
export function lockOwned(queries: Queries, owned: OwnedPayment): Promise<PaymentRow | undefined> {
  return readOne(queries, {
    name: "payment-lock-owned",
    text: `${OWNED} FOR UPDATE`,
    values: valuesOf(owned),
  });
}

/** Name of the queue in which transactions wait to lock a payment for its owner. */
export function turnOf({ id, organisationIdentifier }: OwnedPayment): string {
  return `payment ${id} ${organisationIdentifier}`;
}

/** Finds a payment of this owner. */
export function findOwned(queries: Queries, owned: OwnedPayment): Promise<PaymentRow | undefined> {
  return readOne(queries, { name: "payment-find-owned", text: OWNED, values: valuesOf(owned) });
}

/** Finds and locks the payment of this id. */
export function lockPayment(queries: Queries, id: string): Promise<PaymentRow | undefined> {
  const text = `SELECT ${PAYMENT_COLUMNS} FROM payment WHERE payment_id = $1 FOR UPDATE`;
  return readOne(queries, { name: "payment-lock", text, values: [id] });
}

/** Finds and locks the payment that has this request at auth. */
export function lockAsked(queries: Queries, request: SigningRequestId): Promise<PaymentRow | undefined> {
  const text = `SELECT ${PAYMENT_COLUMNS} FROM payment WHERE signing_request_id = $1 FOR UPDATE`;
  return readOne(queries, { name: "payment-lock-asked", text, values: [request] });
}

/** Computes the digest of a locked payment's order, as `proveOrder` does. */
export async function proveLocked(queries: Queries, row: PaymentRow): Promise<Buffer | undefined> {
  const text = "SELECT facts FROM payment_move WHERE payment_id = $1 AND number = 1";
  const entry = { name: "payment-find-entry", text, values: [row.payment_id] };
  const [entered] = await queries.run<Pick<MadeMove, "facts">>(entry);
  return entered && proveOrder(row, entered.facts);
}

async function readOne(queries: Queries, statement: Statement): Promise<PaymentRow | undefined> {
  const [row] = await queries.run<PaymentRow>(statement);
  return row;
}

function valuesOf({ id, organisationIdentifier, psu }: OwnedPayment): readonly unknown[] {
  return [id, organisationIdentifier, psu];
}

/**
 * Whether a payment still waits for its PSU after its time, and auth is not known to have it; nothing is begun or changed
 * then.
 */
export function isOverdue(row: PaymentRow, now: Date): boolean {
  return "state" in movePayment(readState(row), { move: "expire", now });
}

/** Reads a payment in this state, which must not be deleted. Throws when its order cannot be read. */
export function paymentOf(row: PaymentRow, state: PaymentState): Payment {
  if (state.state === "deleted") throw new TypeError("nothing is told of a deleted payment");
  return { ...readTerms(row), ...state };
}

/** Makes a move of a locked payment and adds its line to the record; otherwise gives the reason and changes nothing. */
export async function makeMove(
  queries: Queries,
  { row, move }: { readonly row: PaymentRow; readonly move: PaymentMove },
  act: PaymentAct,
): Promise<{ readonly row: PaymentRow; readonly state: PaymentState } | { readonly refused: MoveRefusal }> {
  const moved = movePayment(readState(row), move);
  if ("refused" in moved) return moved;
  const { state } = moved;
  const values = [
    ...valuesOfMove(row, state, act),
    ...valuesOfLine(describeMove(move), act),
    ...valuesOfState(state),
  ];
  const [written] = await queries.run<PaymentRow>({ ...MOVE, values });
  if (written === undefined) throw new Error("a payment changed under its lock");
  return { row: written, state };
}

/** The first parameters of {@link MOVE}. */
function valuesOfMove(row: PaymentRow, state: PaymentState, { now }: PaymentAct): readonly unknown[] {
  const isAsked = state.state === "entered" && state.signing.state === "asked";
  return [row.payment_id, row.moves, now, isAsked ? LOOK_UP_MILLISECONDS : undefined, row.state];
}

const LINE = parametersOfLine(6);
const FIRST_STATE_PARAMETER = 6 + LINE.length;

// The caller has locked the row; `moves` proves once more that no move was made since it was read. A request is looked up by the
// database's time: if the report of its approval is lost, a clock that was ahead must not delay the payment.
const MOVE = {
  name: "payment-move",
  text: `WITH moved AS (
      UPDATE payment SET moves = moves + 1, moved_at = $3,
        look_up_at = now() + $4::float8 * interval '1 millisecond',
        ${STATE_COLUMNS.map((column, place) => `${column} = $${FIRST_STATE_PARAMETER + place}`).join(", ")}
      WHERE payment_id = $1 AND moves = $2 RETURNING ${PAYMENT_COLUMNS}
    ), told AS (
      ${addLines({ from: "moved", line: LINE, at: "$3", before: "$5" })}
    )
    SELECT * FROM moved`,
};
