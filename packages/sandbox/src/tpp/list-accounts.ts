import { type ApiAccess, callResource } from "./call-resource.ts";
import { presentTable } from "./present-table.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** What is asked of the list of accounts (COBS 3.1.3), as given on the command line. */
export interface AccountListOptions {
  readonly page?: string | undefined;
  readonly size?: string | undefined;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
  /** For `Accept-Language`. */
  readonly language?: string | undefined;
}

/** One account as the API tells it. */
interface ListedAccount {
  readonly id: string;
  readonly identification: { readonly iban: string; readonly other?: string | null };
  readonly currency?: string | null;
  readonly nameI18N?: string | null;
  readonly productI18N?: string | null;
}

/** A page of accounts as the API tells it. */
export interface AccountList {
  readonly pageNumber: number;
  readonly pageCount: number;
  readonly totalCount?: number | null;
  readonly accounts: readonly ListedAccount[];
}

/** Lists accounts with a token; refuses with `refused`, in the server's words. */
export async function listAccounts(access: ApiAccess, options: AccountListOptions): Promise<AccountList> {
  const { page, size, sort, order, language } = options;
  const list = await callResource(access, {
    path: "/my/accounts",
    query: { page, size, sort, order },
    language,
  });
  if (isAccountList(list)) return list;
  throw new TppRefusal("refused", "the answer is no list of accounts");
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
  const count = list.totalCount ?? list.accounts.length;
  const page = `page ${list.pageNumber} of ${list.pageCount}, ${count} ${count === 1 ? "account" : "accounts"} in all`;
  return `${presentTable([["IBAN", "number", "currency", "name", "product", "id"], ...rows])}\n\n  ${page}`;
}

function isAccountList(value: unknown): value is AccountList {
  return typeof value === "object" && value !== null && "accounts" in value && Array.isArray(value.accounts);
}
