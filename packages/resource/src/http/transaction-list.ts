import {
  type Language,
  preferredLanguage,
  readTransactionListQuery,
  type TransactionListQuery,
  writeTransactionList,
} from "@cobs/cobs-model";
import { type Clock, writeJson } from "@cobs/service-edge";
import { type HistoryParts, listTransactions } from "../accounts/list-transactions.ts";
import { TRANSACTION_LIST } from "./cobs-resources.ts";
import { headersOfLanguage } from "./headers-of-language.ts";
import type { OfferedResource } from "./offered-resource.ts";

/** What a call asks for, read at the moment `now`. */
interface TransactionListCall {
  readonly id: string;
  readonly wanted: TransactionListQuery;
  readonly language: Language;
  readonly now: Date;
}

/** Serves `GET /my/accounts/{id}/transactions` (COBS 3.1.5), in the TPP's preferred language (PDF 1.2.6). */
export function transactionList(
  parts: HistoryParts & { readonly clock: Clock },
): OfferedResource<TransactionListCall> {
  return {
    resource: TRANSACTION_LIST,
    read: (call) => {
      const now = parts.clock.now();
      const { query: wanted, faults } = readTransactionListQuery(call.query, now);
      const language = preferredLanguage(call.header("accept-language"));
      return { query: { id: call.parameters.id ?? "", wanted, language, now }, faults };
    },
    answer: async (admission, { query: { id, wanted, language, now }, faults, unattended }) => {
      const input = { id, currency: wanted.currency, query: wanted, now, faults, unattended };
      const page = await listTransactions(parts, admission, input);
      return {
        status: 200,
        headers: headersOfLanguage(language),
        jsonText: writeTransactionList(page, language, writeJson),
      };
    },
  };
}
