import type { Database } from "@cobs/service-edge";
import { deletePayment } from "./delete-payment-postgres.ts";
import { endWaiting, findUnasked, findWaitingPayers } from "./end-waiting-postgres.ts";
import { enterPaymentsIn, findEntered, findInstruction } from "./enter-payment-postgres.ts";
import {
  handOver,
  postpone,
  refuseLease,
  takeAnswer,
  takeDue,
  takeSettlement,
} from "./execute-payment-postgres.ts";
import { attachKnown, expireUnsigned, findOverdue } from "./expire-unsigned-postgres.ts";
import { forgetOld } from "./forget-payments-postgres.ts";
import { findOwned, paymentOf } from "./move-payment-postgres.ts";
import { initiatorOf, movesOf } from "./moves-of-payment-postgres.ts";
import type { SigningEnding } from "./payment.ts";
import type { SigningRequestId } from "./payment-ids.ts";
import { readState } from "./payment-row.ts";
import type { PaymentAct, PaymentStore } from "./payment-store.ts";
import { restorePlaces } from "./restore-places-postgres.ts";
import { moveSigning, takeLookUps } from "./sign-payment-postgres.ts";
import { takeApproval, takeRequestEnd } from "./take-approval-postgres.ts";

/** Keeps payments in the tables of the migration `payments`. */
export function createPaymentStore(database: Database): PaymentStore {
  const enter = enterPaymentsIn(database);
  const endSigning = (requestId: SigningRequestId, ending: SigningEnding, by: PaymentAct) =>
    takeRequestEnd(database, { requestId, end: { move: "end_signing", ending } }, by);
  return {
    enter: (terms, entry, by) => enter({ terms, entry, by }),
    findEntered: (of, idempotency, now) => findEntered(database, { of, idempotency, now }),
    findInstruction: (of, instruction) => findInstruction(database, of, instruction),
    find: async (owned) => {
      const row = await findOwned(database, owned);
      return row && paymentOf(row, readState(row));
    },
    openSigning: (owned, signId, by) =>
      moveSigning(database, { owned, move: { move: "open_signing", signId } }, by),
    attachRequest: (owned, request, by) =>
      moveSigning(database, { owned, move: { move: "ask", ...request } }, by),
    takeApproval: (approval, by) => takeApproval(database, approval, by),
    takeRefusal: (requestId, reason, by) =>
      takeRequestEnd(database, { requestId, end: { move: "refuse", reason } }, by),
    takeExpiry: (requestId, by) => endSigning(requestId, "expired", by),
    takeCancellation: (requestId, by) => endSigning(requestId, "cancelled", by),
    takeConsentEnd: (requestId, by) => {
      const end = { move: "end_consent", reason: "consent_ended", requestId } as const;
      return takeRequestEnd(database, { requestId, end }, by);
    },
    waitingPayers: (of) => findWaitingPayers(database, of),
    findUnasked: (payer) => findUnasked(database, payer),
    endWaiting: (payer, by) => endWaiting(database, payer, by),
    delete: (owned, by) => deletePayment(database, owned, by),
    dueForLookUp: (terms, by) => takeLookUps(database, terms, by),
    dueForHandOver: (terms, by) => takeDue(database, { step: "hand_over", terms }, by),
    dueForSettlement: (terms, by) => takeDue(database, { step: "settle", terms }, by),
    handedOver: (lease, by) => handOver(database, lease, by),
    bankAnswered: (lease, answer, by) => takeAnswer(database, { lease, answer }, by),
    settled: (lease, settlement, by) => takeSettlement(database, { lease, settlement }, by),
    refuseLease: (lease, by) => refuseLease(database, lease, by),
    restorePlaces: (limit, by, after) => restorePlaces(database, { limit, after }, by),
    postpone: (lease, until) => postpone(database, lease, until),
    findOverdue: (wanted, by) => findOverdue(database, wanted, by),
    attachKnown: (signing, requestId, by) => attachKnown(database, { ...signing, requestId }, by),
    expireUnsigned: (overdue, by) => expireUnsigned(database, overdue, by),
    forgetOld: (forgetting) => forgetOld(database, forgetting),
    movesOf: (id) => movesOf(database, id),
    initiatorOf: (id) => initiatorOf(database, id),
  };
}
