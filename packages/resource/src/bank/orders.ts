/**
 * What a bank is asked about orders to pay, as the second half of the port in `bank.ts`. It owns the words between the
 * payments of this service and whoever executes them; who may order, and that the PSU has approved, is proven before.
 */
import type {
  AccountId,
  BankTerms,
  CurrencyCode,
  Fault,
  Iban,
  Money,
  PaymentOrder,
  PsuId,
} from "@cobs/cobs-model";

/** An order that somebody wants to enter; without `accounts` every account of the PSU may pay. */
export type OrderToInspect = {
  readonly psu: PsuId;
  readonly accounts: readonly AccountId[] | undefined;
  readonly order: PaymentOrder;
};

/** What a bank says of an order before it is entered; `account` is undefined when no account of the PSU is meant. */
export type OrderInspection = {
  readonly account: AccountId | undefined;
  /** What the bank charges the payer for the payment, in the currency of the account that pays. */
  readonly fee: Money | undefined;
  readonly faults: readonly Fault[];
};

/** An order that the PSU has approved. */
export type OrderToExecute = {
  readonly paymentId: string;
  /** SHA-256 of what the PSU saw and approved. */
  readonly digest: Buffer;
  /** What the PSU saw and approved: the canonical bytes (RFC 8785), which are UTF-8. */
  readonly orderText: string;
  readonly approvalId: string;
  readonly psu: PsuId;
  readonly account: AccountId;
  readonly order: PaymentOrder;
  /** What the PSU was shown that it costs: nothing else is charged for it. */
  readonly fee: Money | undefined;
  /** The day on which it is executed, `YYYY-MM-DD`. */
  readonly executionDate: string;
};

/**
 * Why a bank does not execute an order; it is told to nobody but the log and the history of the payment.
 * - `account_unknown`: the PSU has no such account, or not any more
 * - `account_closed`: the account that pays is closed
 * - `creditor_closed`: the payee's account in the same bank is unknown, closed, or not kept in that currency
 * - `currency_unknown`: the account is not kept in the currency, or the bank does not exchange it
 * - `funds_insufficient`: there is less than the amount and the charges
 * - `digest_mismatch`: the bank has another order under the same payment id, and that one stands; or the order that came is
 *   not the one that was approved
 * - `other`: a reason that only this bank has, or that it has a word of its own for
 */
export const ORDER_REJECTIONS = [
  "account_unknown",
  "account_closed",
  "creditor_closed",
  "currency_unknown",
  "funds_insufficient",
  "digest_mismatch",
  "other",
] as const;

/** One of {@link ORDER_REJECTIONS}. */
export type OrderRejection = (typeof ORDER_REJECTIONS)[number];

/** Why an order is not executed; `ownWord` is what the bank itself calls it, where that is none of {@link ORDER_REJECTIONS}. */
export type RejectedOrder = { readonly reason: OrderRejection; readonly ownWord?: string };

/** What becomes of an order that is handed over. */
export type OrderOutcome =
  | { readonly outcome: "accepted" }
  | ({ readonly outcome: "rejected" } & RejectedOrder);

/** How far an order has come; `entryReference` is that of the transaction of the payer, where it is known. */
export type OrderProgress =
  | { readonly state: "unknown" }
  | { readonly state: "accepted" }
  | { readonly state: "completed"; readonly entryReference: string | undefined }
  | ({ readonly state: "rejected" } & RejectedOrder);

/** Whether an amount is there on an account of a PSU. */
export type FundsQuestion = {
  readonly psu: PsuId;
  /** Those that may be answered of, at least one: several may have one IBAN, and not all be covered by a consent. */
  readonly accounts: readonly AccountId[];
  readonly iban: Iban;
  /** Of the account; undefined is that of the amount where the account is kept in it, else its main one. */
  readonly currency: CurrencyCode | undefined;
  readonly amount: Money;
};

/** Yes or no, of which account, and nothing of a balance; a fault has no path, because the question has none. */
export type FundsAnswer =
  | { readonly known: true; readonly account: AccountId; readonly enough: boolean }
  | { readonly known: false; readonly fault: Fault };

/**
 * Contract of every implementation: an order has one life under its payment id. It is either unknown, or accepted and
 * then completed or rejected, or rejected; it never goes back. Money moves at most once for a payment id, however often,
 * from how many processes, and with which outcome it is handed over. A bank that cannot answer throws; whether it has the
 * order is then unknown, and `progressOf` tells.
 */
export interface OrderBank {
  /** What the bank executes, and until when on the same day. It may change from day to day. */
  terms(): Promise<BankTerms>;

  /**
   * What is wrong with an order in the books of the bank, all of it at once, and which account pays. Nothing is blocked.
   * Faults: AC02 for an account that is unknown, closed, not the PSU's or not among `accounts`, in the same words; AC10 not
   * kept in that currency; AC12 no payment account; AC03 a payee in the same bank that is unknown, closed, or not kept in
   * the currency that the order says; AM11 a currency that the bank does not exchange. Paths are those of the request.
   */
  inspectOrder(wanted: OrderToInspect): Promise<OrderInspection>;

  /**
   * Takes an order, blocks its amount and executes it on its day. The same order again, by payment id and digest, is
   * answered as before (or as rejected, when it has been rejected since) and changes nothing; another digest under the same
   * id is `digest_mismatch`, and changes nothing either: an id belongs to what came first, also where that was rejected because
   * it is not what was approved. Two orders that together exceed the funds are never both accepted. One whose day has passed is
   * executed at once, and neither booked nor valued on a day before.
   */
  acceptOrder(order: OrderToExecute): Promise<OrderOutcome>;

  /** How far an order has come; `unknown` only when it never arrived. */
  progressOf(paymentId: string): Promise<OrderProgress>;

  /**
   * Whether an account could be debited by so much at this moment; nothing is blocked. Faults: AC02 unknown, closed, not the
   * PSU's or not among `accounts`; AC09 not kept in that currency; AC12 no payment account; AM11 a currency that the bank does
   * not exchange.
   */
  hasFunds(question: FundsQuestion): Promise<FundsAnswer>;
}
