import { ContentRefusal, preferredLanguage, readAccountListQuery, writeAccountList } from "@cobs/cobs-model";
import { type AccountListInput, listAccounts } from "../accounts/list-accounts.ts";
import type { AccountBank } from "../bank/bank.ts";
import { ACCOUNT_LIST } from "./cobs-resources.ts";
import { headersOfLanguage } from "./headers-of-language.ts";
import type { OfferedResource } from "./offered-resource.ts";

/** Serves `GET /my/accounts` (COBS 3.1.3), in the TPP's preferred language (PDF 1.2.6); not counted as an access. */
export function accountList(bank: AccountBank): OfferedResource<AccountListInput> {
  return {
    resource: ACCOUNT_LIST,
    read: (call) => {
      const { query, faults } = readAccountListQuery(call.query);
      const language = preferredLanguage(call.header("accept-language"));
      return { query: { query, language }, faults };
    },
    answer: async (admission, { query: input, faults }) => {
      if (faults.length > 0) throw new ContentRefusal(faults);
      const { language } = input;
      const page = await listAccounts(bank, admission, input);
      return {
        status: 200,
        headers: headersOfLanguage(language),
        jsonText: writeAccountList(page, language),
      };
    },
  };
}
