/**
 * The route by which a person at the bank reads the record of a payment: who entered it, and every move that it has made,
 * with its time and cause.
 */
import { type BankCallers, problemAnswer, type Route, requireBankCaller } from "@cobs/service-edge";
import type { MadeMove } from "../payments/made-move.ts";
import { findPaymentId } from "../payments/payment-ids.ts";
import type { PaymentStore } from "../payments/payment-store.ts";

const UNKNOWN = problemAnswer({
  status: 404,
  title: "No payment is stored under this id",
  detail:
    "The id is the transactionIdentification, 32 characters long; finished payments are kept for PAYMENT_RETENTION_DAYS.",
});

/**
 * Serves `GET /operator/payments/{paymentId}` to callers with the right `operator`: the record of a payment, even of a
 * deleted one. It holds nothing of the order's content except digests. The log of the call names the operator.
 */
export function createPaymentRecordRoute(
  callers: BankCallers,
  store: Pick<PaymentStore, "movesOf" | "initiatorOf">,
): Route {
  return {
    method: "GET",
    path: "/operator/payments/:paymentId",
    handle: async (call) => {
      const operator = requireBankCaller(callers, call.presentedCertificate, "operator");
      const paymentId = findPaymentId(call.parameters.paymentId);
      const moves = paymentId === undefined ? [] : await store.movesOf(paymentId);
      const facts = { operator, paymentId: paymentId ?? "" };
      if (paymentId === undefined || moves.length === 0) return { ...UNKNOWN, facts };
      const initiator = await store.initiatorOf(paymentId);
      const json = { paymentId, state: moves.at(-1)?.after, ...initiator, moves: moves.map(presentMove) };
      return { status: 200, json, facts };
    },
  };
}

function presentMove({ at, cause, requestId, before, ...move }: MadeMove): object {
  const absent = { cause: cause ?? null, requestId: requestId ?? null, before: before ?? null };
  return { ...move, at: at.toISOString(), ...absent };
}
