import { type CurrencyCode, parseCurrencyCode } from "@cobs/cobs-model";
import { NotShown } from "./kit-check.ts";

/** Reserved for tests (ISO 4217): nobody keeps an account in it or exchanges it. */
export const NO_CURRENCY = parseCurrencyCode("XTS");

/** Currencies of which an account is unlikely to have all. */
const STRANGE_CURRENCIES = ["SEK", "GBP", "USD"].map((code) => parseCurrencyCode(code));

/** A currency that an account does not have; throws `NotShown` if it has all that are tried. */
export function findStrangeCurrency(kept: ReadonlySet<CurrencyCode>): CurrencyCode {
  const currency = STRANGE_CURRENCIES.find((each) => !kept.has(each));
  if (currency === undefined) throw new NotShown(`it is kept in ${STRANGE_CURRENCIES.join(", ")}`);
  return currency;
}
