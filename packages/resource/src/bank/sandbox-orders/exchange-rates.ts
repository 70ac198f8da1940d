import { type CurrencyCode, type Money, parseCurrencyCode } from "@cobs/cobs-model";

/** An amount in the currency of an account, and its rate: units of that currency per unit of the ordered one. */
export type Exchanged = {
  readonly money: Money;
  /** Decimal; undefined if nothing was exchanged. */
  readonly rate: string | undefined;
};

/** Table: the price of one unit of each currency in hundredths of a haléř; every rate is invented. */
const CROWNS: Readonly<Record<string, bigint>> = {
  CZK: 10_000n,
  EUR: 251_000n,
  USD: 232_000n,
  GBP: 294_000n,
  PLN: 58_500n,
  CHF: 262_000n,
};

const RATE_DECIMALS = 6;
const RATE_UNIT = 10n ** BigInt(RATE_DECIMALS);

/** The currencies that the sandbox bank exchanges; each has two decimals. */
export const EXCHANGED_CURRENCIES: readonly CurrencyCode[] = Object.keys(CROWNS).map((code) =>
  parseCurrencyCode(code),
);

/**
 * Converts an ordered amount to another currency, to at least a hundredth of its unit; undefined when the bank does not
 * exchange one of the two.
 */
export function exchange(ordered: Money, currency: CurrencyCode): Exchanged | undefined {
  if (ordered.currency === currency) return { money: ordered, rate: undefined };
  const [sold, bought] = [CROWNS[currency], CROWNS[ordered.currency]];
  if (sold === undefined || bought === undefined) return undefined;
  const rate = divide(bought * RATE_UNIT, sold);
  const minor = divide(ordered.minor * rate, RATE_UNIT);
  return { money: { minor: minor > 0n ? minor : 1n, currency }, rate: presentRate(rate) };
}

/** Divides and rounds half up; both arguments are positive. */
function divide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor / 2n) / divisor;
}

function presentRate(rate: bigint): string {
  return `${rate / RATE_UNIT}.${String(rate % RATE_UNIT).padStart(RATE_DECIMALS, "0")}`;
}
