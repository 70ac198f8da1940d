import type { Localized } from "@cobs/cobs-model";
import type { BookingKindName } from "./booking-kinds.ts";
import type { DemoParty } from "./demo-party.ts";
import type { OrderedCurrency } from "./exchange-rates.ts";

/** Currencies of the demo bank's accounts. */
export const DEMO_CURRENCIES = ["CZK", "EUR", "USD"] as const;

/** One of those currencies. */
export type DemoCurrency = (typeof DEMO_CURRENCIES)[number];

/**
 * When a habit happens: either on a day of the month, moved to the next business day if banks are closed, or a number of times
 * in an average month.
 */
export type HabitTime =
  | {
      readonly monthlyOn: number;
      /** Only in every nth month, counted from year 0, beginning with the month `from`. */
      readonly everyMonths?: number;
      readonly from?: number;
    }
  | { readonly timesPerMonth: number };

/** Something that recurs on an account. */
export type Habit = {
  readonly kind: BookingKindName;
  readonly when: HabitTime;
  /** Lowest and highest amount, in whole units of the currency of the account. */
  readonly amount: readonly [number, number];
  /** Amounts are multiples of this, in minor units. */
  readonly step?: number;
  /** Who is paid or pays; for cards and cash only the name is shown, as the place. */
  readonly parties?: readonly DemoParty[];
  readonly message?: string;
  /** Shown instead of the text of the kind. */
  readonly text?: Localized;
  readonly constantSymbol?: string;
  /** `contract`: one number per party; `invoice`: a new number each time. */
  readonly variableSymbol?: "contract" | "invoice";
  /** ISO 20022 purpose code, shown for SEPA payments. */
  readonly purpose?: string;
  /** Who bears the charges of a foreign payment. */
  readonly bearer?: "OUR" | "SHA" | "BEN";
  /** Currency ordered or paid in, if it is not that of the account. */
  readonly ordered?: OrderedCurrency;
  /** Key of another account of the same PSU and currency, instead of `parties`. */
  readonly ownAccount?: string;
  /** Another currency of the same account, into which the bank converts the money. */
  readonly exchangedTo?: DemoCurrency;
  /**
   * Taken back within the day, in every nth month: by each of these kinds in turn, or cancelled by the bank if there are none.
   */
  readonly undone?: { readonly everyMonths: number; readonly by: readonly BookingKindName[] };
};

/** A currency that an account is kept in, and what happens in it. */
export type CurrencyPlan = {
  readonly currency: DemoCurrency;
  /** Whole units of the currency. */
  readonly overdraft?: number;
  /** First deposit, in whole units of the currency, without the reserve. */
  readonly opening: number;
  readonly habits: readonly Habit[];
  /** What is blocked or announced at the end of the history. */
  readonly pending?: readonly Habit[];
};

/** An account to be opened, and what happens on it in its main currency. */
export type AccountPlan = CurrencyPlan & {
  /** Unique within the PSU. */
  readonly key: string;
  readonly names: Localized;
  readonly products: Localized;
  /** Further currencies of the same account. */
  readonly further?: readonly CurrencyPlan[];
};

/** Who a PSU is and which accounts they use. */
export type PsuPlan = {
  readonly username: string;
  readonly displayName: string;
  readonly segment: "personal" | "business";
  /** Name of the accounts' holder. */
  readonly holder: string;
  readonly accounts: readonly AccountPlan[];
};
