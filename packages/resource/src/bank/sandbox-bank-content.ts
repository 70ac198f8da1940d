import type { Account, AccountId, CurrencyCode, PsuId, TransactionDetails } from "@cobs/cobs-model";

/** An account of the ledger; the bank's own have no `customer` part and no limit. */
export type LedgerAccount = {
  readonly id: AccountId;
  readonly currency: CurrencyCode;
  /** How far below zero the balance may go, in minor units; null is no limit. */
  readonly overdraftLimit: bigint | null;
};

/** The account of the ledger in which a payment account keeps a currency that is not its main one. */
export type FurtherLedger = {
  readonly account: AccountId;
  readonly currency: CurrencyCode;
  /** In the ledger, and nowhere else. */
  readonly id: AccountId;
};

/**
 * One side of a booking: the account of the ledger, the code of the Czech Banking Association that its holder sees, and
 * what they read where the sides read different things.
 */
export type Leg = {
  readonly account: AccountId;
  readonly code: string;
  readonly details?: TransactionDetails | null;
};

/** One movement of money from the debited to the credited account, in the currency that both have. */
export type Booking = {
  readonly id: string;
  readonly bookedAt: Date;
  /** `YYYY-MM-DD` */
  readonly valueDate: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly currency: CurrencyCode;
  readonly debit: Leg;
  readonly credit: Leg;
  /** What both sides read about it; the details of a leg take its place. */
  readonly details: TransactionDetails | null;
  /** It cancels an earlier booking. */
  readonly isReversal?: boolean;
};

/** Money that is blocked or announced, and not booked yet. */
export type PendingItem = {
  /** Of the ledger. */
  readonly account: AccountId;
  /** Unique within the account. */
  readonly id: string;
  readonly blockedAt: Date;
  /** The day on which it is expected to count, `YYYY-MM-DD`. */
  readonly valueDate: string;
  /** Minor units; below zero it will be debited. */
  readonly amount: bigint;
  readonly currency: CurrencyCode;
  readonly code: string;
  readonly details: TransactionDetails | null;
};

/** What the bank knows of an account and tells no TPP. */
export type AccountTraits = {
  readonly account: AccountId;
  /** In whose name it is. */
  readonly holder?: string;
  /** Nobody pays from it or to it any more. */
  readonly closedAt?: Date;
  /** Unless it is said not to be one, e.g. one for savings. */
  readonly isPaymentAccount?: boolean;
};

/** Everything that a sandbox bank starts with; bookings are in the order of their time. */
export type SandboxBankContent = {
  /** Brought in once under this name, however often it is offered. */
  readonly name: string;
  readonly ledger: readonly LedgerAccount[];
  readonly accounts: readonly Account[];
  /** In the order in which an account tells its currencies, after the main one. */
  readonly ledgers?: readonly FurtherLedger[];
  readonly access: readonly { readonly psu: PsuId; readonly account: AccountId }[];
  readonly bookings: readonly Booking[];
  readonly pending?: readonly PendingItem[];
  readonly traits?: readonly AccountTraits[];
};
