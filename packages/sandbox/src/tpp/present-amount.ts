import { type AmountDocument, decimalsOf, findCurrencyCode, findNumberText } from "@cobs/cobs-model";

/** An amount from the API, with its direction. */
export interface ToldAmount {
  readonly amount: AmountDocument;
  readonly creditDebitIndicator: string;
}

/** Writes an amount signed by its direction, grouped, with all decimals of its currency: `-1,250.00 CZK`. */
export function presentToldAmount({ amount, creditDebitIndicator }: ToldAmount): string {
  const sign = creditDebitIndicator === "DBIT" ? "-" : "";
  return `${sign}${presentDigits(amount)} ${amount.currency}`;
}

function presentDigits({ value, currency }: AmountDocument): string {
  const [whole = "", fraction = ""] = (findNumberText(value) ?? "").split(".");
  const code = findCurrencyCode(currency);
  const decimals = fraction.padEnd(code === undefined ? 0 : decimalsOf(code), "0");
  return `${BigInt(whole).toLocaleString("en-US")}${decimals === "" ? "" : `.${decimals}`}`;
}
