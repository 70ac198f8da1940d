import type { DemoCurrency } from "./account-plan.ts";

/** A currency in which something abroad is paid. */
export type OrderedCurrency = DemoCurrency | "GBP" | "PLN";

/**
 * An ordered amount, the amount in the account's currency, and the rate between them: units of the account's currency per
 * ordered unit.
 */
export type Exchange = {
  /** Minor units of the ordered currency. */
  readonly ordered: bigint;
  /** Minor units of the currency of the account. */
  readonly amount: bigint;
  /** Decimal. */
  readonly rate: string;
};

/** Table: crowns per unit of each currency; every rate is invented. */
const CROWNS: Readonly<Record<OrderedCurrency, number>> = {
  CZK: 1,
  EUR: 25.1,
  USD: 23.2,
  GBP: 29.4,
  PLN: 5.85,
};

const RATE_UNIT = 10_000n;
const SWAY = 0.03;
const DAY = 86_400_000;

/** Exchanges roughly `about` of an account's currency on a day; rates vary a little from week to week. */
export function exchange(
  about: bigint,
  { from, to, at }: { readonly from: DemoCurrency; readonly to: OrderedCurrency; readonly at: number },
): Exchange {
  const sway = 1 + SWAY * Math.sin(at / DAY / 40);
  const rate = BigInt(Math.round((CROWNS[to] / CROWNS[from]) * sway * Number(RATE_UNIT)));
  const ordered = (about * RATE_UNIT) / rate;
  const amount = (ordered * rate + RATE_UNIT / 2n) / RATE_UNIT;
  return { ordered, amount, rate: presentRate(rate) };
}

function presentRate(rate: bigint): string {
  return `${rate / RATE_UNIT}.${String(rate % RATE_UNIT).padStart(4, "0")}`;
}
