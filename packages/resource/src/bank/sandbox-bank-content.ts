import type { Account, AccountId, CurrencyCode, Iban, PsuId } from "@cobs/cobs-model";

/** An account of the ledger; the bank's own have no `customer` part and no limit. */
export type LedgerAccount = {
  readonly id: AccountId;
  readonly currency: CurrencyCode;
  /** How far below zero the balance may go, in minor units; null is no limit. */
  readonly overdraftLimit: bigint | null;
};

/** One side of a booking: the account, and the code of the Czech Banking Association that its holder sees. */
export type Leg = { readonly account: AccountId; readonly code: string };

/** A party to a payment and its account, as far as they are known. */
export type Party = {
  readonly name: string;
  readonly iban?: Iban;
  readonly bankCode?: string;
  readonly bic?: string;
};

/** What both sides of a booking can read about it; the symbols are those of Czech payments (VS, KS, SS). */
export type BookingDetails = {
  readonly debtor?: Party | undefined;
  readonly creditor?: Party | undefined;
  readonly variableSymbol?: string | undefined;
  readonly constantSymbol?: string | undefined;
  readonly specificSymbol?: string | undefined;
  readonly message?: string | undefined;
  readonly endToEndId?: string | undefined;
  readonly maskedCard?: string | undefined;
  readonly place?: string | undefined;
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
  readonly details: BookingDetails;
};

/** Everything that a sandbox bank starts with; bookings are in the order of their time. */
export type SandboxBankContent = {
  /** Brought in once under this name, however often it is offered. */
  readonly name: string;
  readonly ledger: readonly LedgerAccount[];
  readonly accounts: readonly Account[];
  readonly access: readonly { readonly psu: PsuId; readonly account: AccountId }[];
  readonly bookings: readonly Booking[];
};
