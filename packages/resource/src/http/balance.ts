import { type BalanceQuery, presentBalances, readBalanceQuery } from "@cobs/cobs-model";
import type { AccountParts } from "../accounts/answer-about-account.ts";
import { readBalances } from "../accounts/read-balances.ts";
import { BALANCE } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";

/** Serves `GET /my/accounts/{id}/balance` (COBS 3.1.4). */
export function balance(parts: AccountParts): OfferedResource<BalanceQuery & { readonly id: string }> {
  return {
    resource: BALANCE,
    read: (call) => {
      const { query, faults } = readBalanceQuery(call.query);
      return { query: { currency: query.currency, id: call.parameters.id ?? "" }, faults };
    },
    answer: async (admission, { query: { id, currency }, faults, unattended }) => {
      const balances = await readBalances(parts, admission, { id, currency, faults, unattended });
      return { status: 200, json: presentBalances(balances) };
    },
  };
}
