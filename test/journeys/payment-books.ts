import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { PaymentInput, ToldPayment } from "./payment-payer.ts";
import { runSql } from "./run-sql.ts";

/** An ended payment, as far as the books record it. */
export interface EndedPayment extends Pick<ToldPayment, "paymentId" | "end"> {
  readonly input: Pick<PaymentInput, "instructionIdentification" | "minor">;
}

interface KeptPayment {
  readonly payment_id: string;
  readonly state: string;
  readonly rejected_by: string | null;
  readonly account_id: string;
  readonly moves: readonly string[];
  readonly numbers: readonly number[];
  readonly waits: boolean;
  readonly order_state: string | null;
  readonly is_of_digest: boolean | null;
  readonly pending: number;
  /** Amounts debited from the payer's account, in minor units, one per entry. */
  readonly debits: readonly string[];
  readonly sum: string;
}

const KEPT = `SELECT payment_id, payment.state, rejected_by, payment.account_id,
    (SELECT array_agg(move ORDER BY number) FROM payment_move WHERE payment_id = payment.payment_id) AS moves,
    (SELECT array_agg(number ORDER BY number) FROM payment_move WHERE payment_id = payment.payment_id) AS numbers,
    EXISTS (SELECT FROM payment_outbox AS waiting WHERE waiting.payment_id = payment.payment_id) AS waits,
    ordered.state AS order_state, ordered.digest = payment.digest AS is_of_digest,
    (SELECT count(*)::int FROM sandbox_pending WHERE pending_id = payment.payment_id) AS pending,
    ARRAY(SELECT amount::text FROM sandbox_entry WHERE booking_id = payment.payment_id
      AND account_id = payment.account_id) AS debits,
    (SELECT coalesce(sum(amount), 0)::text FROM sandbox_entry WHERE booking_id = payment.payment_id) AS sum
  FROM payment LEFT JOIN sandbox_order AS ordered USING (payment_id) WHERE instruction_identification = $1`;

const APPROVED =
  "SELECT payment_id FROM signing_request WHERE payment_id = $1 AND state = 'approved' AND approval_digest IS NOT NULL";

const LEDGERS = `SELECT account_id FROM sandbox_ledger AS ledger WHERE balance <>
  (SELECT coalesce(sum(amount), 0) FROM sandbox_entry AS entry WHERE entry.account_id = ledger.account_id)`;

const SUMS =
  "SELECT currency, sum(balance)::text AS sum FROM sandbox_ledger GROUP BY 1 HAVING sum(balance) <> 0";

/** Contradictions between the books and what the TPP was told of ended payments, in sentences; empty if everything agrees. */
export async function contradictionsOf(
  { databases }: SandboxDocument,
  told: readonly EndedPayment[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const payment of told) {
    const { paymentId, input } = payment;
    const rows = await runSql(databases.resource, KEPT, [input.instructionIdentification]);
    const approvals = await runSql(databases.auth, APPROVED, [paymentId]);
    const [kept] = rows.map((row): KeptPayment => Object(row));
    if (rows.length !== 1 || kept === undefined) found.push(`${paymentId} exists ${rows.length} times`);
    else found.push(...contradictions(payment, kept, approvals.length).map((what) => `${paymentId} ${what}`));
  }
  const wrong = await runSql(databases.resource, LEDGERS);
  const sums = await runSql(databases.resource, SUMS);
  return [
    ...found,
    ...wrong.map((row) => `the balance of ${Object(row).account_id} is not the sum of its entries`),
    ...sums.map((row) => `the ledgers in ${Object(row).currency} come to ${Object(row).sum}`),
  ];
}

/** Table: the state of a payment by the last status that its TPP was told. */
const STATES: Readonly<Record<string, string>> = { ACSC: "completed", RJCT: "rejected", deleted: "deleted" };

function contradictions(
  { paymentId, input, end }: EndedPayment,
  kept: KeptPayment,
  approvals: number,
): string[] {
  const isCompleted = kept.state === "completed";
  const single = ["enter", "approve", "accept", "complete", "reject"];
  const claims: Readonly<Record<string, boolean>> = {
    "was told under another id": kept.payment_id === paymentId,
    [`is ${kept.state}, and ${end} was told`]: STATES[end] === kept.state,
    "was approved, and neither executed nor rejected":
      approvals === 0 || isCompleted || kept.rejected_by === "bank",
    "was executed without an approval": approvals === 1 || kept.order_state === null,
    "has more approvals than one": approvals <= 1,
    "waits for the bank still": !kept.waits,
    "ended otherwise at the bank": isCompleted === (kept.order_state === "completed"),
    "is another order at the bank": kept.is_of_digest !== false,
    "has an amount blocked still": kept.pending === 0,
    "was booked other than once, in full": isCompleted
      ? kept.debits.join() === String(-input.minor)
      : kept.debits.length === 0,
    "was booked out of balance": kept.sum === "0",
    "has a gap in its record": kept.numbers.every((number, index) => number === index + 1),
    "made a move twice": single.every((move) => kept.moves.filter((made) => made === move).length <= 1),
  };
  return Object.entries(claims).flatMap(([what, holds]) => (holds ? [] : [what]));
}
