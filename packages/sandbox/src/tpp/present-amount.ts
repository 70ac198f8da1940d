import { type AmountDocument, decimalsOf, findCurrencyCode, findNumberText } from "@cobs/cobs-model";

/** An amount as the API tells it, with its direction beside it. */
export interface ToldAmount {
  readonly amount: AmountDocument;
  readonly creditDebitIndicator: string;
}

/** With the sign of its direction, grouped, and with all decimals of its currency: `-1,250.00 CZK`. */
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
