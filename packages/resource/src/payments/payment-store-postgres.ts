import type { Database } from "@cobs/service-edge";
import { endWaiting, findUnasked, findWaitingPayers } from "./end-waiting-postgres.ts";
import { enterPaymentsIn, findEntered, findInstruction } from "./enter-payment-postgres.ts";
import {
  handOver,
  postpone,
  refuseLease,
  takeAcceptance,
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
import { takeDeletion } from "./take-deletion-postgres.ts";

/** Stores payments in the tables of the migration `payments`. */
export function createPaymentStore(database: Database): PaymentStore {
  const enter = enterPaymentsIn(database);
  const endSigning = (requestId: SigningRequestId, ending: SigningEnding, act: PaymentAct) =>
    takeRequestEnd(database, { requestId, end: { move: "end_signing", ending } }, act);
  return {
    enter: (terms, entry, act) => enter({ terms, entry, act }),
    findEntered: (of, idempotency, now) => findEntered(database, { of, idempotency, now }),
    findInstruction: (of, instruction) => findInstruction(database, of, instruction),
    find: async (owned) => {
      const row = await findOwned(database, owned);
      return row && paymentOf(row, readState(row));
    },
    openSigning: (owned, signId, act) =>
      moveSigning(database, { owned, move: { move: "open_signing", signId } }, act),
    attachRequest: (owned, request, act) =>
      moveSigning(database, { owned, move: { move: "ask", ...request } }, act),
    takeApproval: (approval, act) => takeApproval(database, approval, act),
    takeRefusal: (requestId, reason, act) =>
      takeRequestEnd(database, { requestId, end: { move: "refuse", reason } }, act),
    takeExpiry: (requestId, act) => endSigning(requestId, "expired", act),
    takeCancellation: (requestId, act) => endSigning(requestId, "cancelled", act),
    takeConsentEnd: (requestId, act) => {
      const end = { move: "end_consent", reason: "consent_ended", requestId } as const;
      return takeRequestEnd(database, { requestId, end }, act);
    },
    waitingPayers: (of) => findWaitingPayers(database, of),
    findUnasked: (payer, span) => findUnasked(database, payer, span),
    endWaiting: (payer, act, span) => endWaiting(database, { payer, span }, act),
    delete: (owned, act) => takeDeletion(database, owned, act),
    dueForLookUp: (terms, act) => takeLookUps(database, terms, act),
    dueForHandOver: (terms) => takeDue(database, { step: "hand_over", terms }),
    dueForSettlement: (terms) => takeDue(database, { step: "settle", terms }),
    dueInstant: (terms) => takeDue(database, { step: "any of an instant one", terms }),
    handOver: (lease, act) => handOver(database, lease, act),
    takeAcceptance: (lease, look, act) => takeAcceptance(database, { lease, look }, act),
    takeSettlement: (lease, settlement, act) => takeSettlement(database, { lease, settlement }, act),
    refuseLease: (lease, act) => refuseLease(database, lease, act),
    restorePlaces: (limit, act, after) => restorePlaces(database, { limit, after }, act),
    postpone: (lease, due) => postpone(database, lease, due),
    findOverdue: (wanted, act) => findOverdue(database, wanted, act),
    attachKnown: (signing, requestId, act) => attachKnown(database, { ...signing, requestId }, act),
    expireUnsigned: (overdue, act) => expireUnsigned(database, overdue, act),
    forgetOld: (forgetting) => forgetOld(database, forgetting),
    movesOf: (id) => movesOf(database, id),
    initiatorOf: (id) => initiatorOf(database, id),
  };
}
