import type { Account } from "./account.ts";
import type { Language } from "./language.ts";
import type { Page } from "./page.ts";
import { writePage } from "./write-page.ts";

/**
 * Writes a page of accounts as JSON, with names and products in one language (COBS 3.1.3, PDF 1.2.6). The text of an account
 * is reused as long as its bank returns the same object.
 */
export function writeAccountList(page: Page<Account>, language: Language): string | Buffer {
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

/** One account on the wire; unknown elements are null, not hidden (PDF 1.2.3, A-04). */
function presentAccount(account: Account, language: Language) {
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
