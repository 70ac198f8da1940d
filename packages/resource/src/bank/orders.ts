/**
 * Payment orders, the second half of the port in `bank.ts`. It owns the words between the payments of this service and the
 * bank that executes them. Who may order, and that the PSU approved, is proven before.
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

/** An order that a TPP wants to enter; without `accounts` any account of the PSU may pay. */
export type OrderToInspect = {
  readonly psu: PsuId;
  readonly accounts: readonly AccountId[] | undefined;
  readonly order: PaymentOrder;
};

/** What a bank says of an order before it is entered; `account` is undefined when no account of the PSU matches. */
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
  /** The text that the PSU saw and approved: canonical JSON (RFC 8785) in UTF-8. */
  readonly orderText: string;
  readonly approvalId: string;
  readonly psu: PsuId;
  readonly account: AccountId;
  readonly order: PaymentOrder;
  /** The charge that the PSU was shown; nothing else is charged. */
  readonly fee: Money | undefined;
  /** Day of execution, `YYYY-MM-DD`. */
  readonly executionDate: string;
};

/**
 * Why a bank does not execute an order; the reason goes only into the log and the history of the payment.
 * - `account_unknown`: the PSU has no such account (any more)
 * - `account_closed`: the account that pays is closed
 * - `creditor_closed`: the payee's account in the same bank is unknown, closed, or not kept in that currency
 * - `currency_unknown`: the account is not kept in the currency, or the bank does not exchange it
 * - `funds_insufficient`: the account holds less than the amount and the charges
 * - `digest_mismatch`: the bank already has another order under this payment id, which stands; or the order that arrived is
 *   not the approved one
 * - `other`: a reason that only this bank has or names
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

/** Why an order is not executed; `ownWord` is the bank's own code where {@link ORDER_REJECTIONS} has none for it. */
export type RejectedOrder = { readonly reason: OrderRejection; readonly ownWord?: string };

/** Whether the bank took an order that was handed over. */
export type OrderOutcome =
  | { readonly outcome: "accepted" }
  | ({ readonly outcome: "rejected" } & RejectedOrder);

/** How far an order has come; `entryReference` is that of the payer's transaction, if known. */
export type OrderProgress =
  | { readonly state: "unknown" }
  | { readonly state: "accepted" }
  | { readonly state: "completed"; readonly entryReference: string | undefined }
  | ({ readonly state: "rejected" } & RejectedOrder);

/** Asks whether an account of a PSU holds an amount. */
export type FundsQuestion = {
  readonly psu: PsuId;
  /**
   * Accounts the answer may be about, at least one: several may share the IBAN, and a consent need not cover all of them.
   */
  readonly accounts: readonly AccountId[];
  readonly iban: Iban;
  /** Currency of the account; undefined means that of the amount if the account is kept in it, otherwise its main one. */
  readonly currency: CurrencyCode | undefined;
  readonly amount: Money;
};

/** Yes or no, and for which account, but no balance. The fault has no path, because the question has none. */
export type FundsAnswer =
  | { readonly known: true; readonly account: AccountId; readonly enough: boolean }
  | { readonly known: false; readonly fault: Fault };

/**
 * Contract of every implementation: an order has one life under its payment id. It is first unknown, then accepted or
 * rejected; an accepted one is later completed or rejected. It never goes back. Money moves at most once for a payment id,
 * however often, from how many processes and with which outcome the order is handed over. A bank that cannot answer throws;
 * whether it has the order is then unknown, and `progressOf` tells.
 */
export interface OrderBank {
  /** What the bank executes, and the cut-off times for the same day. It may change from day to day. */
  terms(): Promise<BankTerms>;

  /**
   * Checks an order against the bank's books: all faults at once, and which account pays. Blocks nothing. Faults: AC02 for an
   * account that is unknown, closed, not the PSU's or not among `accounts`, in the same words; AC10 not kept in that currency;
   * AC12 not a payment account; AC03 a payee in the same bank that is unknown, closed, or not kept in the currency that the
   * order says; AM11 a currency that the bank does not exchange. Paths are those of the request.
   */
  inspectOrder(wanted: OrderToInspect): Promise<OrderInspection>;

  /**
   * Takes an order, blocks its amount and executes it on its day. The same payment id and digest again change nothing and get
   * the same answer, or `rejected` if the order has been rejected since. Another digest under the same id is `digest_mismatch`
   * and changes nothing: the id belongs to the first order, even one rejected because it is not what was approved. Two orders
   * that together exceed the funds are never both accepted. An order whose day has passed is executed at once, and neither
   * booked nor valued on an earlier day.
   */
  acceptOrder(order: OrderToExecute): Promise<OrderOutcome>;

  /**
   * How far an order has come; `unknown` only when it never arrived. However many of the questions that are no more than a
   * `recheck` fail, no other question is refused for them.
   */
  progressOf(paymentId: string, purpose?: "recheck"): Promise<OrderProgress>;

  /**
   * Whether an account could be debited by this amount at this moment. Blocks nothing. Faults: AC02 unknown, closed, not the
   * PSU's or not among `accounts`; AC09 not kept in that currency; AC12 not a payment account; AM11 a currency that the bank
   * does not exchange.
   */
  hasFunds(question: FundsQuestion): Promise<FundsAnswer>;
}

/** What the execution of payments asks of a bank. */
export type OrderExecution = Pick<OrderBank, "acceptOrder" | "progressOf">;
