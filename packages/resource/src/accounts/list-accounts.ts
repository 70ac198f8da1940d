import {
  type Account,
  type AccountListQuery,
  type Language,
  type Page,
  requireExistingPage,
} from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import type { AccountBank } from "../bank/bank.ts";

/** What a TPP asks about the list; names are sorted in the language of the answer. */
export interface AccountListInput {
  readonly query: AccountListQuery;
  readonly language: Language;
}

/** Reads one page of the accounts that the consent covers (COBS 3.1.3); refuses with PAGE_NOT_FOUND past the end. */
export async function listAccounts(
  bank: AccountBank,
  admission: PsuAdmission,
  { query, language }: AccountListInput,
): Promise<Page<Account>> {
  const { psu, accounts } = admission;
  return requireExistingPage(query, await bank.listAccounts({ psu, accounts, query, language }));
}
