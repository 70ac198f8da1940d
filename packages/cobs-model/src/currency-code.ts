import type { Brand } from "./brand.ts";
import { ContentRefusal } from "./refusal.ts";

/** A currency code in the form of ISO 4217, e.g. `CZK`; the bank need not keep accounts in it. */
export type CurrencyCode = Brand<"CurrencyCode">;

/** Fault text for a value of another form. */
export const NO_CURRENCY_CODE = "must be a currency code of three capital letters";

/** Reads three capital letters (COBS CurrencyCode) or refuses with FIELD_INVALID at `path`. */
export function parseCurrencyCode(value: unknown, path = "currency"): CurrencyCode {
  const code = findCurrencyCode(value);
  if (code !== undefined) return code;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path, message: `${path} ${NO_CURRENCY_CODE}` }]);
}

/** Reads three capital letters (COBS CurrencyCode); undefined for anything else. */
export function findCurrencyCode(value: unknown): CurrencyCode | undefined {
  return typeof value === "string" && /^[A-Z]{3}$/.test(value) ? (value as CurrencyCode) : undefined;
}
