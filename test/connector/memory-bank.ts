import {
  type Account,
  type AccountId,
  type Balance,
  bankDayOf,
  makeCzechIban,
  parseAccountId,
  parseCurrencyCode,
  parseCzechAccountNumber,
  parsePsuId,
  requireTransaction,
  type Transaction,
  type TransactionSortField,
} from "@cobs/cobs-model";
import { type Bank, BankRefusal, type FundsQuestion } from "@cobs/resource/sandbox";
import { presentBankTime } from "../../packages/cobs-model/src/bank-day.ts";
import type { AccountOfPsu, TransactionListRequest } from "../../packages/resource/src/bank/bank.ts";
import { memoryOrders } from "./memory-orders.ts";

/** Two PSUs of the bank, each with an account that the other does not have; two of Anna's share one IBAN. */
export const ANNA = parsePsuId("anna");
export const BORIS = parsePsuId("boris");

const NUMBER_OF_BORIS = "19-2000000034";

/** IBAN of Boris's account. */
export const BORIS_IBAN = makeCzechIban("9900", parseCzechAccountNumber(NUMBER_OF_BORIS));

const CZK = parseCurrencyCode("CZK");
const EUR = parseCurrencyCode("EUR");

/** A transaction, and when it was booked or blocked. */
interface KeptTransaction {
  readonly at: Date;
  readonly entry: Transaction;
}

/** A bank that fulfils the contract, and is small enough to list completely unless it is given an older history. */
export function memoryBank(older: readonly Date[] = []): Bank {
  const held = new Map([
    [ANNA, [account("a1", "19-2000145399"), account("a2", "2000000018"), account("a2-eur", "2000000018")]],
    [BORIS, [account("b1", NUMBER_OF_BORIS)]],
  ]);
  const ofAnna = [...keptTransactions(), ...older.map((at, place) => keep(100 + place, at, "BOOK"))];
  const histories: ReadonlyMap<string, readonly KeptTransaction[]> = new Map([
    ["a1", ofAnna],
    ["b1", transactionsOfBoris()],
  ]);
  const orders = memoryOrders((psu) => held.get(parsePsuId(psu)) ?? []);

  const accountsOf: Bank["accountsOf"] = async (psu) => held.get(psu) ?? [];

  async function require({ psu, account: id }: AccountOfPsu): Promise<Account> {
    const account = (await accountsOf(psu)).find((each) => each.id === id);
    if (account === undefined) throw new BankRefusal("account_unknown");
    return account;
  }

  return {
    ...orders.bank,
    accountsOf,
    listAccounts: async ({ psu }) => {
      const entries = await accountsOf(psu);
      return { entries, totalCount: entries.length };
    },
    currenciesOf: async () => [CZK, EUR],
    balancesOf: async (request) => {
      const wanted = balances(orders.availableOn(await require(request))).filter(
        ({ amount }) => request.currency === undefined || amount.currency === request.currency,
      );
      if (wanted.length === 0) throw new BankRefusal("currency_unknown");
      return wanted;
    },
    listTransactions: async (request) => {
      const account = await require(request);
      const currency = request.currency ?? CZK;
      if (currency !== CZK && currency !== EUR) throw new BankRefusal("currency_unknown");
      const ordered = currency === CZK ? orders.bookedOn(account) : [];
      const kept = currency === CZK ? histories.get(account.id) : undefined;
      return listKept([...(kept ?? []), ...ordered], request);
    },
  };
}

/** The account that a question about funds names first. */
export function firstOf({ accounts }: FundsQuestion): AccountId {
  return accounts[0] ?? parseAccountId("none");
}

/** Answers that every named account has sufficient funds. */
export const fundsForEverything: Bank["hasFunds"] = async (question) => ({
  known: true,
  account: firstOf(question),
  enough: true,
});

/** One page of the stored transactions, in the wanted order. */
function listKept(kept: readonly KeptTransaction[], { from, before, sort, page }: TransactionListRequest) {
  const within = kept.filter(({ at }) => at >= from && (before === undefined || at < before));
  const ordered = within.toSorted(newestFirst);
  const isOrderOfBooking = sort.length === 1 && sort[0]?.field === "bookingDate";
  for (const { field, direction } of sort.toReversed()) {
    const compare = isOrderOfBooking
      ? byInstant
      : (one: KeptTransaction, other: KeptTransaction) => compareBy(field, one, other);
    ordered.sort((one, other) => compare(one, other) * (direction === "asc" ? 1 : -1));
  }
  const first = page.page * page.size;
  const entries = ordered.slice(first, first + page.size).map(({ entry }) => entry);
  return { entries, totalCount: within.length };
}

function newestFirst(one: KeptTransaction, other: KeptTransaction): number {
  const isPending = ({ entry }: KeptTransaction) => Number(entry.status === "PDNG");
  return isPending(other) - isPending(one) || other.at.getTime() - one.at.getTime();
}

function byInstant(one: KeptTransaction, other: KeptTransaction): number {
  return one.at.getTime() - other.at.getTime();
}

function compareBy(field: TransactionSortField, one: KeptTransaction, other: KeptTransaction): number {
  const [key, otherKey] = [keyOf(field, one), keyOf(field, other)];
  return key < otherKey ? -1 : Number(key > otherKey);
}

function keyOf(field: TransactionSortField, { at, entry }: KeptTransaction): string | bigint {
  if (field === "amount") return entry.amount.minor;
  if (field === "valueDate") return entry.valueDate;
  return field === "bookingDate" ? bankDayOf(at) : (entry.entryReference ?? "");
}

/** Card payments, some booked at exact instants and others at the bank's midnight, and two that are blocked. */
function keptTransactions(): readonly KeptTransaction[] {
  const start = Date.UTC(2026, 0, 5, 9, 30);
  const day = 86_400_000;
  return Array.from({ length: 27 }, (_none, place) => {
    if (place >= 25) return keep(place, new Date(start + place * day), "PDNG");
    // Two on one day; the smaller amount came first.
    if (place === 23) return keep(place, new Date(start + 22 * day + 3_600_000), "BOOK");
    // Half past ten in Prague, or midnight there.
    return keep(place, new Date(start + place * day - (place % 3 === 0 ? 10.5 * 3_600_000 : 0)), "BOOK");
  });
}

/** Transactions that name the account in their details, so that each belongs to it alone. */
function transactionsOfBoris(): readonly KeptTransaction[] {
  return [500, 501, 502].map((place) => {
    const { at, entry } = keep(place, new Date(Date.UTC(2026, 0, place - 490, 8)), "BOOK");
    const details = {
      relatedParties: { debtorAccount: { identification: { iban: BORIS_IBAN } } },
      additionalTransactionInformation: `Service ${place}`,
    };
    return { at, entry: { ...entry, details } };
  });
}

function keep(place: number, at: Date, status: "BOOK" | "PDNG"): KeptTransaction {
  const bookingDate = place % 3 === 0 ? bankDayOf(at) : presentBankTime(at);
  const entry = requireTransaction({
    entryReference: `T-${String(place).padStart(3, "0")}`,
    amount: { value: `${(place * 37) % 100}.50`, currency: "CZK" },
    direction: "DBIT",
    isReversal: false,
    status,
    bookingDate,
    valueDate: bankDayOf(at),
    code: CARD_SERVICE,
    details: null,
  });
  return { at, entry };
}

/** A card service, which needs no details. */
const CARD_SERVICE = "30000301000";

/** Balances; the available amount in the main currency includes an agreed overdraft. */
function balances(available: bigint): readonly Balance[] {
  const at = "2026-02-01T10:00:00.000+01:00";
  const line = { minor: 2_000_000n, currency: CZK };
  return [
    {
      type: "CLAV",
      amount: { minor: available, currency: CZK },
      creditLine: { included: true, amount: line },
      at,
    },
    { type: "ITBD", amount: { minor: available - line.minor, currency: CZK }, creditLine: null, at },
    { type: "CLAV", amount: { minor: 0n, currency: EUR }, creditLine: null, at },
    { type: "ITBD", amount: { minor: 12_345n, currency: EUR }, creditLine: null, at },
  ];
}

function account(id: string, text: string): Account {
  const number = parseCzechAccountNumber(text);
  return {
    id: parseAccountId(id),
    iban: makeCzechIban("9900", number),
    number,
    currency: CZK,
    servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
    names: { cs: "Účet", en: "Account" },
    products: null,
  };
}
