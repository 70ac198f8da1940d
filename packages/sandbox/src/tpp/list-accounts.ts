import { presentTable } from "../terminal/present-table.ts";
import type { ApiAccess } from "./call-resource.ts";
import { callForList, type PageOptions, presentPage, type ToldPage } from "./told-list.ts";

/** One account in the API's list. */
interface ListedAccount {
  readonly id: string;
  readonly identification: { readonly iban: string; readonly other?: string | null };
  readonly currency?: string | null;
  readonly nameI18N?: string | null;
  readonly productI18N?: string | null;
}

/** A page of accounts from the API. */
export interface AccountList extends ToldPage {
  readonly accounts: readonly ListedAccount[];
}

/** Lists accounts with a token (COBS 3.1.3); refuses with `refused`, in the server's words. */
export function listAccounts(access: ApiAccess, options: PageOptions): Promise<AccountList> {
  const { page, size, sort, order, language } = options;
  const call = { path: "/my/accounts", query: { page, size, sort, order }, language };
  return callForList(access, call, "accounts");
}

/** The accounts as a table. */
export function presentAccounts(list: AccountList): string {
  const rows = list.accounts.map((account) => [
    account.identification.iban,
    account.identification.other ?? "",
    account.currency ?? "",
    account.nameI18N ?? "",
    account.productI18N ?? "",
    account.id,
  ]);
  const page = presentPage(list, list.accounts.length, "account");
  return `${presentTable([["IBAN", "number", "currency", "name", "product", "id"], ...rows])}\n\n  ${page}`;
}
