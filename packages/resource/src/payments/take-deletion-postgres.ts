import type { Database } from "@cobs/service-edge";
import { isOverdue, lockOwned, makeMove, turnOf } from "./move-payment-postgres.ts";
import type { MoveRefusal } from "./payment-moves.ts";
import { readState } from "./payment-row.ts";
import type { DeletionOutcome, OwnedPayment, PaymentAct } from "./payment-store.ts";

/** Deletes a payment that nobody can approve any more. */
export function takeDeletion(
  database: Database,
  owned: OwnedPayment,
  act: PaymentAct,
): Promise<DeletionOutcome> {
  return database.transaction(async (queries) => {
    const row = await lockOwned(queries, owned);
    if (row === undefined) return { result: "unknown" };
    const state = readState(row);
    if (state.state !== "entered" || isOverdue(row, act.now)) return { result: "wrong_state" };
    if (state.signing.state === "asked") return { result: "asked", requestId: state.signing.requestId };
    return deletionOf(await makeMove(queries, { row, move: { move: "delete" } }, act));
  }, turnOf(owned));
}

function deletionOf(moved: object | { readonly refused: MoveRefusal }): DeletionOutcome {
  return "refused" in moved ? { result: "wrong_state" } : { result: "deleted" };
}
