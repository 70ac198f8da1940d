import type { Database } from "@cobs/service-edge";
import { enterPayment } from "./enter-payment-postgres.ts";
import { handOver, postpone, takeAnswer, takeDue, takeSettlement } from "./execute-payment-postgres.ts";
import { expireUnsigned, forgetOld, movesOf } from "./forget-payments-postgres.ts";
import type { SigningEnding } from "./payment.ts";
import type { SigningRequestId } from "./payment-ids.ts";
import type { PaymentAct, PaymentStore } from "./payment-store.ts";
import { deletePayment, findPayment, moveSigning, takeLookUps } from "./sign-payment-postgres.ts";
import { takeApproval, takeRequestEnd } from "./take-approval-postgres.ts";

/** Keeps payments in the tables of the migration `payments`. */
export function createPaymentStore(database: Database): PaymentStore {
  const endSigning = (requestId: SigningRequestId, ending: SigningEnding, by: PaymentAct) =>
    takeRequestEnd(database, { requestId, end: { move: "end_signing", ending } }, by);
  return {
    enter: (terms, entry, by) => enterPayment(database, { terms, entry, by }),
    find: (owned, now) => findPayment(database, owned, now),
    openSigning: (owned, signId, by) =>
      moveSigning(database, { owned, move: { move: "open_signing", signId } }, by),
    attachRequest: (owned, request, by) =>
      moveSigning(database, { owned, move: { move: "ask", ...request } }, by),
    takeApproval: (approval, by) => takeApproval(database, approval, by),
    takeRefusal: (requestId, reason, by) =>
      takeRequestEnd(database, { requestId, end: { move: "refuse", reason } }, by),
    takeExpiry: (requestId, by) => endSigning(requestId, "expired", by),
    takeCancellation: (requestId, by) => endSigning(requestId, "cancelled", by),
    delete: (owned, by) => deletePayment(database, owned, by),
    dueForLookUp: (wish, by) => takeLookUps(database, wish, by),
    dueForHandOver: (wish, by) => takeDue(database, { step: "hand_over", wish }, by),
    dueForSettlement: (wish, by) => takeDue(database, { step: "settle", wish }, by),
    handedOver: (lease, by) => handOver(database, lease, by),
    bankAnswered: (lease, answer, by) => takeAnswer(database, { lease, answer }, by),
    settled: (lease, settlement, by) => takeSettlement(database, { lease, settlement }, by),
    postpone: (lease, until) => postpone(database, lease, until),
    expireUnsigned: (limit, by) => expireUnsigned(database, limit, by),
    forgetOld: (forgetting) => forgetOld(database, forgetting),
    movesOf: (id) => movesOf(database, id),
  };
}
