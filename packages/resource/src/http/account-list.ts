import { parseAccountListQuery, preferredLanguage, presentAccountList } from "@cobs/cobs-model";
import { type AccountListWish, listAccounts } from "../accounts/list-accounts.ts";
import type { Bank } from "../bank/bank.ts";
import { ACCOUNT_LIST } from "./cobs-resources.ts";
import type { OfferedResource } from "./offered-resource.ts";

/** `GET /my/accounts` (COBS 3.1.3), in the language that the TPP prefers (PDF 1.2.6). */
export function accountList(bank: Bank): OfferedResource<AccountListWish> {
  return {
    resource: ACCOUNT_LIST,
    parse: (call) => ({
      query: parseAccountListQuery(call.query),
      language: preferredLanguage(call.header("accept-language")),
    }),
    answer: async (admission, wish) => {
      const page = await listAccounts(bank, admission, wish);
      return {
        status: 200,
        headers: { "Content-Language": wish.language },
        json: presentAccountList(page, wish.language),
      };
    },
  };
}
