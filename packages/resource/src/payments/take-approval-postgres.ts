import type { Database, Queries } from "@cobs/service-edge";
import { IS_INSTANT_SQL } from "./is-instant-sql.ts";
import { lockAsked, makeMove, proveLocked } from "./move-payment-postgres.ts";
import type { Approval, ApprovalFault, PaymentState, PsuRefusal, SigningEnding } from "./payment.ts";
import type { PaymentId, SigningRequestId } from "./payment-ids.ts";
import { type MoveRefusal, movePayment, type PaymentMove } from "./payment-moves.ts";
import { approvalOf, readState } from "./payment-row.ts";
import type { ApprovalOutcome, PaymentAct, RequestEndOutcome } from "./payment-store.ts";

/** Takes an approval as the store's contract says. */
export async function takeApproval(
  database: Database,
  approval: Approval,
  act: PaymentAct,
): Promise<ApprovalOutcome> {
  const take = () => database.transaction((queries) => takeApprovalIn(queries, approval, act));
  try {
    return await take();
  } catch (error) {
    // Another payment took this very approval at the same time, which can be seen now.
    if (isTakenApproval(error)) return take();
    throw error;
  }
}

function isTakenApproval(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "payment_approval_id_key";
}

async function takeApprovalIn(
  queries: Queries,
  approval: Approval,
  act: PaymentAct,
): Promise<ApprovalOutcome> {
  const row = await lockAsked(queries, approval.requestId);
  if (row === undefined) return { result: "unknown" };
  const { payment_id: paymentId } = row;
  if (approvalOf(readState(row))?.id === approval.id) return { result: "known", paymentId };
  const orderDigest = await proveLocked(queries, row);
  const isUsedElsewhere = await isUsed(queries, approval);
  const move = judgeApproval(readState(row), { approval, orderDigest, isUsedElsewhere });
  const moved = await makeMove(queries, { row, move }, act);
  if ("refused" in moved) return { result: "over", paymentId };
  if (move.move === "refuse_approval") return { result: "refused", paymentId, reason: move.reason };
  await putBeforeBank(queries, paymentId);
  return { result: "taken", paymentId };
}

async function isUsed(queries: Queries, { id }: Approval): Promise<boolean> {
  const text = "SELECT payment_id FROM payment WHERE approval_id = $1";
  return (await queries.run({ name: "payment-find-approval", text, values: [id] })).length > 0;
}

/** Table: the fault of an approval that is refused for these reasons. */
const FAULTS: Readonly<Partial<Record<MoveRefusal, ApprovalFault>>> = {
  digest_mismatch: "digest_mismatch",
  approval_late: "approval_late",
};

interface ApprovalCase {
  readonly approval: Approval;
  /** Digest of the order as stored now; undefined when that is not what was entered. */
  readonly orderDigest: Buffer | undefined;
  readonly isUsedElsewhere: boolean;
}

/** Finds the move that an approval leads to: the approval is taken, or it is refused and its payment rejected. */
function judgeApproval(
  state: PaymentState,
  { approval, orderDigest, isUsedElsewhere }: ApprovalCase,
): Extract<PaymentMove, { readonly move: "approve" | "refuse_approval" }> {
  const refused = (reason: ApprovalFault) =>
    ({ move: "refuse_approval", reason, approval, orderDigest }) as const;
  if (isUsedElsewhere) return refused("approval_used");
  if (orderDigest === undefined) return refused("digest_mismatch");
  const approve = { move: "approve", approval, orderDigest } as const;
  const moved = movePayment(state, approve);
  const fault = "refused" in moved ? FAULTS[moved.refused] : undefined;
  return fault === undefined ? approve : refused(fault);
}

async function putBeforeBank(queries: Queries, paymentId: PaymentId): Promise<void> {
  const text = `INSERT INTO payment_outbox (payment_id, step, due_at, is_instant)
    SELECT payment_id, 'hand_over', now(), ${IS_INSTANT_SQL} FROM payment WHERE payment_id = $1`;
  await queries.run({ name: "payment-put-before-bank", text, values: [paymentId] });
}

/** How a request at auth ended without an approval. */
export type RequestEnd =
  | { readonly move: "refuse"; readonly reason: PsuRefusal }
  | { readonly move: "end_signing"; readonly ending: SigningEnding }
  | Extract<PaymentMove, { readonly move: "end_consent" }>;

/**
 * Takes the end of a request. A payment that nobody can approve any more, and whose time is over by the caller's clock and by
 * the database's, ends with it.
 */
export function takeRequestEnd(
  database: Database,
  { requestId, end }: { readonly requestId: SigningRequestId; readonly end: RequestEnd },
  act: PaymentAct,
): Promise<RequestEndOutcome> {
  return database.transaction(async (queries) => {
    const row = await lockAsked(queries, requestId);
    if (row === undefined) return { result: "unknown" };
    const { payment_id: paymentId } = row;
    const moved = await makeMove(queries, { row, move: end }, act);
    if ("refused" in moved) return { result: "over", paymentId };
    if (moved.state.state === "entered" && (await isOver(queries, paymentId)))
      await makeMove(queries, { row: moved.row, move: { move: "expire", now: act.now } }, act);
    return { result: "taken", paymentId };
  });
}

/** A process whose clock is ahead must end nothing early; `expireUnsigned` ends the payment in time. */
async function isOver(queries: Queries, paymentId: PaymentId): Promise<boolean> {
  const text = "SELECT FROM payment WHERE payment_id = $1 AND expires_at <= now()";
  return (await queries.run({ name: "payment-is-over", text, values: [paymentId] })).length > 0;
}
