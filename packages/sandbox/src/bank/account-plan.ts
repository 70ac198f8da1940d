import type { Localized } from "@cobs/cobs-model";
import type { Party } from "@cobs/resource";
import type { BookingKindName } from "./booking-kinds.ts";

/** A currency that the demo bank keeps accounts in. */
export type DemoCurrency = "CZK" | "EUR" | "USD";

/** Something that happens on an account again and again. */
export type Habit = {
  readonly kind: BookingKindName;
  /** A day of the month, moved to Monday from a weekend, or a number of times in an average month. */
  readonly when: { readonly monthlyOn: number } | { readonly timesPerMonth: number };
  /** Lowest and highest amount, in whole units of the currency. */
  readonly amount: readonly [number, number];
  /** Amounts are multiples of this, in minor units. */
  readonly step?: number;
  /** Who is paid or pays; for cards and cash only the name is shown, as the place. */
  readonly parties?: readonly Party[];
  readonly message?: string;
  readonly constantSymbol?: string;
  /** `contract` is always the same number for one party, `invoice` a new one each time. */
  readonly variableSymbol?: "contract" | "invoice";
  /** Key of another account of the same PSU and currency, instead of `parties`. */
  readonly ownAccount?: string;
};

/** An account to be opened, and what happens on it. */
export type AccountPlan = {
  /** Unique within the PSU. */
  readonly key: string;
  readonly currency: DemoCurrency;
  readonly names: Localized;
  readonly products: Localized;
  /** Whole units of the currency. */
  readonly overdraft?: number;
  /** First deposit, in whole units of the currency. */
  readonly opening: number;
  readonly habits: readonly Habit[];
};

/** Who a PSU is and which accounts they use. */
export type PsuPlan = {
  readonly username: string;
  readonly displayName: string;
  readonly segment: "personal" | "business";
  /** In whose name the accounts are. */
  readonly holder: string;
  readonly accounts: readonly AccountPlan[];
};
