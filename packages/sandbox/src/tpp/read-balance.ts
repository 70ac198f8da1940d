import { presentTable } from "../terminal/present-table.ts";
import type { ApiAccess } from "./call-resource.ts";
import { presentToldAmount, type ToldAmount } from "./present-amount.ts";
import { callForList } from "./told-list.ts";

/** Options for balances (COBS 3.1.4), as on the command line. */
export interface BalanceOptions {
  readonly currency?: string | undefined;
}

/** One balance from the API. */
interface ToldBalance extends ToldAmount {
  readonly type: { readonly codeOrProprietary: { readonly code: string } };
  readonly creditLine?: { readonly amount?: ToldAmount["amount"] } | null;
  readonly date: { readonly dateTime: string };
}

/** The balances of an account from the API. */
export interface Balances {
  readonly balances: readonly ToldBalance[];
}

/** Reads the balances of an account with a token; refuses with `refused`, in the server's words. */
export function readBalance(access: ApiAccess, account: string, options: BalanceOptions): Promise<Balances> {
  const path = `/my/accounts/${encodeURIComponent(account)}/balance`;
  return callForList(access, { path, query: { ...options } }, "balances");
}

/** Table: meanings of the codes of balances (COBS 3.1.4). */
const MEANINGS: Readonly<Record<string, string>> = {
  CLAV: "available",
  CLBD: "booked at the end of the day",
  ITBD: "booked",
  PRCD: "booked at the last closing",
};

/** The balances as a table. */
export function presentBalances({ balances }: Balances): string {
  const rows = balances.map((balance) => {
    const { code } = balance.type.codeOrProprietary;
    const overdraft = balance.creditLine?.amount;
    const line =
      overdraft && `with ${presentToldAmount({ amount: overdraft, creditDebitIndicator: "CRDT" })} overdraft`;
    return [code, MEANINGS[code] ?? "", presentToldAmount(balance), balance.date.dateTime, line ?? ""];
  });
  return presentTable([["balance", "", "amount", "at", ""], ...rows]);
}
