import type { Account, Servicer } from "./account.ts";
import type { Language } from "./language.ts";
import { type Page, type PageEnvelope, presentPage } from "./page.ts";
import { writePage } from "./write-page.ts";

/** One account on the wire (COBS 3.1.3); unknown elements are null, not hidden (PDF 1.2.3, A-04). */
export type AccountDocument = {
  readonly id: string;
  readonly identification: { readonly iban: string; readonly other: string | null };
  readonly currency: string;
  readonly servicer: Servicer;
  readonly nameI18N: string | null;
  readonly productI18N: string | null;
};

/** The answer of `GET /my/accounts` (COBS 3.1.3). */
export type AccountListDocument = PageEnvelope & { readonly accounts: readonly AccountDocument[] };

/** Writes a page of accounts, with names and products in one language (COBS 3.1.3, PDF 1.2.6). */
export function presentAccountList(page: Page<Account>, language: Language): AccountListDocument {
  const { pageNumber, pageCount, nextPage, pageSize, totalCount } = presentPage(page);
  const accounts = page.entries.map((account) => presentAccount(account, language));
  return { pageNumber, pageCount, nextPage, pageSize, totalCount, accounts };
}

/** The same as JSON in UTF-8. What was written of an account is written again for as long as its bank gives the same object. */
export function writeAccountList(page: Page<Account>, language: Language): Buffer {
  return writePage(page, "accounts", (account) => {
    const known = written[language].get(account);
    if (known !== undefined) return known;
    const text = JSON.stringify(presentAccount(account, language));
    written[language].set(account, text);
    return text;
  });
}

const written: Readonly<Record<Language, WeakMap<Account, string>>> = {
  cs: new WeakMap(),
  en: new WeakMap(),
};

function presentAccount(account: Account, language: Language): AccountDocument {
  const { bankCode, countryCode, bic } = account.servicer;
  return {
    id: account.id,
    identification: { iban: account.iban, other: account.number },
    currency: account.currency,
    servicer: { bankCode, countryCode, bic },
    nameI18N: account.names?.[language] ?? null,
    productI18N: account.products?.[language] ?? null,
  };
}
