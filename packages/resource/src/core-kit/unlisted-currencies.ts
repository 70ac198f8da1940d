import type { CurrencyCode } from "@cobs/cobs-model";

/** Codes of ISO 4217 as this Node.js knows them: without metals such as `XAU`, and without newer ones than its own. */
const LISTED: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Adds to what was seen the currencies that ISO 4217 probably does not have. They are no failure: the list at hand is not whole.
 */
export function remarkUnlisted(seen: string, currencies: Iterable<CurrencyCode>): string {
  const unlisted = [...new Set(currencies)].filter((code) => !LISTED.has(code));
  return unlisted.length === 0 ? seen : `${seen}; not a currency that the kit knows: ${unlisted.join(", ")}`;
}
