import type { DemoCurrency } from "./account-plan.ts";

/**
 * Table: what the history leaves on every account, in whole units of the currency. Payments from any of them are then covered
 * on any day, even on one before the salary.
 */
export const RESERVES: Readonly<Record<DemoCurrency, number>> = { CZK: 20_000, EUR: 800, USD: 800 };
