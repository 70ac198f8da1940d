import type { Money } from "./money.ts";

/** Types of balance (COBS 3.1.4): available; booked at the last closing; booked at the end of the day; booked now. */
export const BALANCE_TYPES = ["CLAV", "PRCD", "CLBD", "ITBD"] as const;

export type BalanceType = (typeof BALANCE_TYPES)[number];

/** One balance of an account in one currency (COBS 3.1.4). */
export type Balance = {
  readonly type: BalanceType;
  /** Signed: negative if the account is overdrawn. */
  readonly amount: Money;
  /** The agreed overdraft, and whether the balance includes it; null if there is none. */
  readonly creditLine: { readonly included: boolean; readonly amount: Money } | null;
  /** An ISO 8601 date, or date and time with an offset. */
  readonly at: string;
};
