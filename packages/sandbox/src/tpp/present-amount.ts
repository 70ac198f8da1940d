/** An amount as the API tells it, with its direction beside it. */
export interface ToldAmount {
  readonly amount: { readonly value: number; readonly currency: string };
  readonly creditDebitIndicator: string;
}

/** With the sign of its direction, and grouped: `-1,250.00 CZK`. */
export function presentToldAmount({ amount, creditDebitIndicator }: ToldAmount): string {
  const sign = creditDebitIndicator === "DBIT" ? "-" : "";
  return `${sign}${grouped(amount.value)} ${amount.currency}`;
}

/** Two decimals, which every currency of the sandbox has. */
function grouped(value: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: 2 });
}
