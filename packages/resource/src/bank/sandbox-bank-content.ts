import type { Account, AccountId, CurrencyCode, PsuId, TransactionDetails } from "@cobs/cobs-model";

/** A ledger account; the bank's own accounts have no `customer` part and no limit. */
export type LedgerAccount = {
  readonly id: AccountId;
  readonly currency: CurrencyCode;
  /** How far below zero the balance may go, in minor units; null means no limit. */
  readonly overdraftLimit: bigint | null;
};

/** The ledger account in which a payment account keeps a currency other than its main one. */
export type FurtherLedger = {
  readonly account: AccountId;
  readonly currency: CurrencyCode;
  /** An id of the ledger only. */
  readonly id: AccountId;
};

/**
 * One side of a booking: the ledger account, the code of the Czech Banking Association that its holder sees, and the details
 * where the two sides read different ones.
 */
export type Leg = {
  readonly account: AccountId;
  readonly code: string;
  readonly details?: TransactionDetails | null;
};

/** One movement of money from the debited to the credited account, both in the same currency. */
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
  /** Details that both sides read, unless a leg has its own. */
  readonly details: TransactionDetails | null;
  /** Whether it cancels an earlier booking. */
  readonly isReversal?: boolean;
};

/** Money that is blocked or announced, but not booked yet. */
export type PendingItem = {
  /** A ledger account. */
  readonly account: AccountId;
  /** Unique within the account. */
  readonly id: string;
  readonly blockedAt: Date;
  /** Expected value date, `YYYY-MM-DD`. */
  readonly valueDate: string;
  /** Minor units; negative if it will be debited. */
  readonly amount: bigint;
  readonly currency: CurrencyCode;
  readonly code: string;
  readonly details: TransactionDetails | null;
};

/** What the bank knows of an account but tells no TPP. */
export type AccountTraits = {
  readonly account: AccountId;
  /** Name of its holder. */
  readonly holder?: string;
  /** When it was closed; since then nobody pays from it or to it. */
  readonly closedAt?: Date;
  /** True by default; false e.g. for savings. */
  readonly isPaymentAccount?: boolean;
};

/** Everything that a sandbox bank starts with; bookings are ordered by time. */
export type SandboxBankContent = {
  /** Content is loaded once under each name. */
  readonly name: string;
  readonly ledger: readonly LedgerAccount[];
  readonly accounts: readonly Account[];
  /** Further currencies in the order in which an account lists them, after its main one. */
  readonly ledgers?: readonly FurtherLedger[];
  readonly access: readonly { readonly psu: PsuId; readonly account: AccountId }[];
  readonly bookings: readonly Booking[];
  readonly pending?: readonly PendingItem[];
  readonly traits?: readonly AccountTraits[];
};
