import type { CurrencyCode } from "./currency-code.ts";
import type { CzechAccountNumber } from "./czech-account-number.ts";
import type { Iban } from "./iban.ts";
import type { Localized } from "./language.ts";
import type { AccountId } from "./opaque-ids.ts";

/** The bank that keeps an account (COBS 3.1.3 `servicer`); at least one member is not null. */
export type Servicer = {
  readonly bankCode: string | null;
  readonly countryCode: string | null;
  readonly bic: string | null;
};

/** A payment account of a PSU as COBS 3.1.3 describes it, without its balance; null is unknown to the bank. */
export type Account = {
  readonly id: AccountId;
  readonly iban: Iban;
  readonly number: CzechAccountNumber | null;
  readonly currency: CurrencyCode;
  readonly servicer: Servicer;
  readonly names: Localized | null;
  readonly products: Localized | null;
};
