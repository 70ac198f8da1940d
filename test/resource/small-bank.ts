import {
  type Account,
  findCzechAccountNumber,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parsePsuId,
} from "@cobs/cobs-model";
import type { SandboxBankContent } from "@cobs/resource";

/** A PSU with more accounts than fit a few pages, one with a single account, and a stranger to both. */
export const MANY = "psu-many";
export const ONE = "psu-one";

/** The ids of the accounts of a PSU, in the order of the ids. */
export function accountIdsOf(psu: string): readonly string[] {
  const count = psu === MANY ? 35 : 1;
  return Array.from({ length: count }, (_, place) => `${psu}-${String(place + 1).padStart(2, "0")}`);
}

/** A bank with 36 accounts and no movements. */
export function smallBank(): SandboxBankContent {
  const owned = [MANY, ONE].flatMap((psu) => accountIdsOf(psu).map((id) => ({ psu, id })));
  const numbers = accountNumbers(owned.length);
  const accounts = owned.map(({ id }, place) => account(id, numbers[place] ?? "", place));
  return {
    name: "small",
    ledger: accounts.map(({ id, currency }) => ({ id, currency, overdraftLimit: 0n })),
    accounts,
    access: owned.map(({ psu, id }) => ({ psu: parsePsuId(psu), account: parseAccountId(id) })),
    bookings: [],
  };
}

const CURRENCIES = ["CZK", "EUR", "USD"];

function account(id: string, base: string, place: number): Account {
  const number = findCzechAccountNumber({ prefix: "", base });
  if (number === undefined) throw new Error(`${base} is not an account number`);
  return {
    id: parseAccountId(id),
    iban: makeCzechIban("9900", number),
    number,
    currency: parseCurrencyCode(CURRENCIES[place % CURRENCIES.length]),
    servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
    // The two languages put the accounts in opposite orders.
    names: { cs: `Účet ${String(place).padStart(2, "0")}`, en: `Account ${String(99 - place)}` },
    products: { cs: "Osobní konto", en: "Personal account" },
  };
}

function accountNumbers(count: number): readonly string[] {
  const numbers: string[] = [];
  for (let base = 2_000_000_000; numbers.length < count; base += 1) {
    if (findCzechAccountNumber({ prefix: "", base: String(base) }) !== undefined) numbers.push(String(base));
  }
  return numbers;
}
