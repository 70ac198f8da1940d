import {
  type Account,
  findCzechAccountNumber,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parsePsuId,
} from "@cobs/cobs-model";
import type { SandboxBankContent } from "@cobs/resource";
import { HISTORY, MULTI_CURRENCY, ownLedgerOf, smallBookings, smallPending } from "./small-movements.ts";

/** A PSU with more accounts than fit on a few pages, one with a single account, and one unrelated to both. */
export const MANY = "psu-many";
export const ONE = "psu-one";

/** Ids of a PSU's accounts, in order. */
export function accountIdsOf(psu: string): readonly string[] {
  const count = psu === MANY ? 35 : 1;
  return Array.from({ length: count }, (_, place) => `${psu}-${String(place + 1).padStart(2, "0")}`);
}

/** A bank with 36 accounts, some with movements (`small-movements.ts`), of which the last is at `now`. */
export function smallBank(now: Date): SandboxBankContent {
  const owned = [MANY, ONE].flatMap((psu) => accountIdsOf(psu).map((id) => ({ psu, id })));
  const numbers = accountNumbers(owned.length);
  const accounts = owned.map(({ id }, place) => account(id, numbers[place] ?? "", place));
  const further = ["USD", "CZK"].map((currency) => ({
    account: parseAccountId(MULTI_CURRENCY),
    currency: parseCurrencyCode(currency),
    id: parseAccountId(`${MULTI_CURRENCY}-${currency.toLowerCase()}`),
  }));
  return {
    name: "small",
    ledger: [
      ...[...accounts, ...further].map(({ id, currency }) => ({ id, currency, overdraftLimit: limitOf(id) })),
      ...CURRENCIES.map((currency) => ({
        id: parseAccountId(ownLedgerOf(currency)),
        currency: parseCurrencyCode(currency),
        overdraftLimit: null,
      })),
    ],
    accounts,
    ledgers: further,
    access: owned.map(({ psu, id }) => ({ psu: parsePsuId(psu), account: parseAccountId(id) })),
    bookings: smallBookings(now),
    pending: smallPending(now),
  };
}

/** Ten thousand crowns for the account with a history, nothing for the others. */
function limitOf(id: string): bigint {
  return id === HISTORY ? 1_000_000n : 0n;
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
    // The two languages sort the accounts in opposite orders.
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
