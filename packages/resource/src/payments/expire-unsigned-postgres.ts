import { type Database, isDatabaseUnavailable, type Queries } from "@cobs/service-edge";
import { lockPayment, makeMove } from "./move-payment-postgres.ts";
import type {
  ExpiredPayments,
  NamedSigning,
  OverdueBatch,
  OverdueCursor,
  OverduePayment,
  WantedOverdue,
} from "./overdue-payments.ts";
import type { PaymentId, SignId, SigningRequestId } from "./payment-ids.ts";
import type { PaymentMove } from "./payment-moves.ts";
import type { PaymentAct } from "./payment-store.ts";

interface OverdueRow {
  readonly payment_id: PaymentId;
  readonly expires_at: Date;
  readonly sign_id: SignId;
  readonly signing_state: OverduePayment["signing"];
}

/** Finds payments that nobody has approved in time, and that auth is not known to have. */
export async function findOverdue(
  queries: Queries,
  { signing, limit, after }: WantedOverdue,
  act: PaymentAct,
): Promise<OverdueBatch> {
  const values = [act.now, limit, after?.expiresAt ?? "-infinity", after?.paymentId ?? "", signing];
  const rows = await queries.run<OverdueRow>({ ...OVERDUE, values });
  const overdue = rows.map((row) => ({
    paymentId: row.payment_id,
    expiresAt: row.expires_at,
    signId: row.sign_id,
    signing: row.signing_state,
  }));
  return { overdue, last: rows.length < limit ? undefined : cursorOf(rows.at(-1)) };
}

function cursorOf(row: OverdueRow | undefined): OverdueCursor | undefined {
  return row && { expiresAt: row.expires_at, paymentId: row.payment_id };
}

const OVERDUE = {
  name: "payment-overdue",
  text: `SELECT payment_id, expires_at, sign_id, signing_state FROM payment
    WHERE state = 'entered' AND signing_state <> 'asked' AND expires_at <= least($1, now())
      AND signing_state = $5 AND (expires_at, payment_id) > ($3::timestamptz, $4)
    ORDER BY expires_at, payment_id LIMIT $2`,
};

interface KnownRequest extends NamedSigning {
  readonly requestId: SigningRequestId;
}

/** Records that auth has the order. Returns false when that is already recorded, or the payment no longer waits. */
export function attachKnown(
  database: Database,
  { paymentId, signId, requestId }: KnownRequest,
  act: PaymentAct,
): Promise<boolean> {
  return moveLocked(database, { paymentId, move: { move: "ask", signId, requestId } }, act);
}

/** Expires payments that nobody has approved, each in its own transaction, so that none holds up another. */
export async function expireUnsigned(
  database: Database,
  overdue: readonly OverduePayment[],
  act: PaymentAct,
): Promise<ExpiredPayments> {
  const [ended, failures]: [PaymentId[], unknown[]] = [[], []];
  for (const { paymentId } of overdue) {
    try {
      const move = { move: "expire", now: act.now } as const;
      if (await moveLocked(database, { paymentId, move }, act)) ended.push(paymentId);
    } catch (error) {
      failures.push(error);
      if (isDatabaseUnavailable(error)) break;
    }
  }
  return { ended, failures };
}

interface WantedMove {
  readonly paymentId: PaymentId;
  readonly move: Extract<PaymentMove, { readonly move: "ask" | "expire" }>;
}

/** Makes a move under the payment's lock; false when another caller was first. */
function moveLocked(database: Database, { paymentId, move }: WantedMove, act: PaymentAct): Promise<boolean> {
  return database.transaction(async (queries) => {
    const row = await lockPayment(queries, paymentId);
    if (row === undefined) return false;
    // Asking again under the same request would change nothing.
    if (row.signing_state === "asked") return false;
    return "state" in (await makeMove(queries, { row, move }, act));
  });
}
