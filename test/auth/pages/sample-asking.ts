import { makeCzechIban, parseAccountId, parseCurrencyCode, parseCzechAccountNumber } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PsuAccount } from "../../../packages/auth/src/bank/psu-accounts.ts";
import type { Asking } from "../../../packages/auth/src/pages/page-view.ts";

const NUMBERS = ["19-2000145399", "2000145399", "27-1234567899", "1000000005"];
const CURRENCIES = ["CZK", "CZK", "EUR", "CZK", "USD"];

/** A number of accounts in three currencies. */
export function sampleAccounts(count: number): readonly PsuAccount[] {
  const numbers = NUMBERS.filter((number) => isAccountNumber(number));
  return Array.from({ length: count }, (_, index) => {
    const number = parseCzechAccountNumber(numbers[index % numbers.length]);
    return {
      id: parseAccountId(`account-${String(index + 1).padStart(30, "0")}`),
      iban: makeCzechIban("9900", number),
      number,
      bankCode: "9900",
      currency: parseCurrencyCode(CURRENCIES[index % CURRENCIES.length]),
      names: { cs: `Běžný účet domácnosti ${index + 1}`, en: `Household account ${index + 1}` },
      products: { cs: "Konto Plus", en: "Plus account" },
    };
  });
}

function isAccountNumber(text: string): boolean {
  try {
    return parseCzechAccountNumber(text) === text;
  } catch {
    return false;
  }
}

export const sampleAsking: Asking = {
  tpp: {
    organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-12345678"),
    organisationName: "Přehled financí, a.s.",
    authority: { id: "CZ-CNB", name: "Czech National Bank" },
  },
  application: { clientName: "Moje peníze", localizedNames: [] },
  redirectHost: "moje-penize.example",
};

/** The longest and oddest texts that a TPP can show a PSU: endless words, markup, right-to-left letters. */
export const strangeAsking: Asking = {
  tpp: { ...sampleAsking.tpp, organisationName: "Nekonečnáspolečnost".repeat(8) },
  application: {
    clientName: `<b>Banka</b> & "{{7*7}}" \u202Eaknab ${"peníze ".repeat(20)}`,
    localizedNames: [],
  },
  redirectHost: `${"dlouhy".repeat(10)}.${"nazev".repeat(12)}.example`,
};

/** Path of the pages of an authorization. */
export const PATH = "/oauth/interaction/3zQ1wJ8v0m5Yx2Tn7Lk4R";
