import type { Database, Queries } from "@cobs/service-edge";
import { isOverdue, lockOwned, makeMove, paymentOf, turnOf } from "./move-payment-postgres.ts";
import type { PaymentState } from "./payment.ts";
import type { PaymentId, SignId, SigningRequestId } from "./payment-ids.ts";
import type { PaymentMove } from "./payment-moves.ts";
import { readState } from "./payment-row.ts";
import type { LeaseTerms, OpenRequest, OwnedPayment, PaymentAct, SigningOutcome } from "./payment-store.ts";

interface RequestedMove {
  readonly owned: OwnedPayment;
  readonly move: Extract<PaymentMove, { readonly move: "ask" | "open_signing" }>;
}

/** Makes a move of the signing; a move whose result already holds counts as done. */
export function moveSigning(
  database: Database,
  { owned, move }: RequestedMove,
  act: PaymentAct,
): Promise<SigningOutcome> {
  return database.transaction(async (queries) => {
    const row = await lockOwned(queries, owned);
    if (row === undefined) return { result: "unknown" };
    if (isOverdue(row, act.now)) return { result: "refused", reason: "wrong_state" };
    const state = readState(row);
    if (isSo(state, move)) return { result: "done", payment: paymentOf(row, state) };
    const moved = await makeMove(queries, { row, move }, act);
    if ("refused" in moved) return { result: "refused", reason: moved.refused };
    return { result: "done", payment: paymentOf(moved.row, moved.state) };
  }, turnOf(owned));
}

function isSo(state: PaymentState, move: RequestedMove["move"]): boolean {
  if (state.state !== "entered") return false;
  const { signing, signId } = state;
  if (move.move === "open_signing") return signing.state !== "ended";
  return signing.state === "asked" && signing.requestId === move.requestId && signId === move.signId;
}

interface RequestRow {
  readonly payment_id: PaymentId;
  readonly sign_id: SignId;
  readonly signing_request_id: SigningRequestId;
  readonly is_overdue: boolean;
}

/** Takes requests at auth to look up; another caller gets them when the lease is over. */
export async function takeLookUps(
  queries: Queries,
  { limit, leaseMilliseconds }: LeaseTerms,
  { now }: PaymentAct,
): Promise<readonly OpenRequest[]> {
  const rows = await queries.run<RequestRow>({ ...LOOK_UP, values: [now, limit, leaseMilliseconds] });
  return rows.map((row) => ({
    paymentId: row.payment_id,
    signId: row.sign_id,
    requestId: row.signing_request_id,
    isOverdue: row.is_overdue,
  }));
}

const askedWhere = (isWanted: string) => `ARRAY(
      SELECT payment_id FROM payment WHERE signing_state = 'asked' AND look_up_at ${isWanted}
      ORDER BY look_up_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// No caller puts a look-up off for longer than half a minute: what is due later was put off while the clock was ahead.
const LOOK_UP = {
  name: "payment-take-look-ups",
  text: `UPDATE payment SET look_up_at = now() + $3::float8 * interval '1 millisecond'
    WHERE payment_id = ANY ((${askedWhere("<= now()")} || ${askedWhere("> now() + interval '10 minutes'")})[:$2])
    RETURNING payment_id, sign_id, signing_request_id, expires_at <= least($1, now()) AS is_overdue`,
};
