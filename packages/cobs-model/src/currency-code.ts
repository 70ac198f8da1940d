import type { Brand } from "./brand.ts";
import { ContentRefusal } from "./refusal.ts";

/** A currency in the form of ISO 4217, e.g. `CZK`; whether the bank keeps accounts in it is not told by it. */
export type CurrencyCode = Brand<"CurrencyCode">;

/** What is wrong with a value that has not the form of one. */
export const NO_CURRENCY_CODE = "is not a currency code, three capital letters";

/** Reads three capital letters (COBS CurrencyCode) or refuses with FIELD_INVALID at `path`. */
export function parseCurrencyCode(value: unknown, path = "currency"): CurrencyCode {
  const code = findCurrencyCode(value);
  if (code !== undefined) return code;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path, message: `${path} ${NO_CURRENCY_CODE}` }]);
}

/** Reads three capital letters (COBS CurrencyCode), or gives undefined. */
export function findCurrencyCode(value: unknown): CurrencyCode | undefined {
  return typeof value === "string" && /^[A-Z]{3}$/.test(value) ? (value as CurrencyCode) : undefined;
}
