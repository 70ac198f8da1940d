import {
  bankDayOf,
  daysBefore,
  parseAccountId,
  parseCurrencyCode,
  startOfBankDay,
  type TransactionDetails,
} from "@cobs/cobs-model";
import type { Booking, PendingItem } from "@cobs/resource";

/** One movement of an account of the ledger, as its holder sees it. */
interface Movement {
  readonly id: string;
  readonly ledger: string;
  readonly currency: string;
  /** Bank days before today, and milliseconds after their midnight; by default ten o'clock. */
  readonly daysAgo: number;
  readonly after?: number;
  /** Minor units; a debit is negative. */
  readonly amount: bigint;
  readonly code: string;
  readonly details?: TransactionDetails;
  readonly isReversal?: boolean;
}

const TEN_O_CLOCK = 10 * 3_600_000;

/**
 * Account with a history of every kind; the oldest two are more than 90 days ago, and the third is at the beginning of the 90
 * days.
 */
export const HISTORY = "psu-many-01";
/** Account in EUR, its main currency, in USD, and in CZK without any movement. */
export const MULTI_CURRENCY = "psu-many-02";
/** Account with the largest amount of the standard. */
export const RICH = "psu-many-03";
/** Account without any movement. */
export const EMPTY = "psu-many-04";
/** Account of another PSU. */
export const FOREIGN = "psu-one-01";

const OTHER_IBAN = "CZ6508000000192000145399";
const OWN_IBAN = "CZ3299000000002000000018";

const CARD: TransactionDetails = {
  references: { chequeNumber: "xxxxxxxxxxxx1234", clearingSystemReference: "MASTERCARD" },
  remittanceInformation: { unstructured: "Kavárna Na Růžku" },
  additionalTransactionInformation: { cs: "Platba kartou", en: "Card payment" },
};

const BANKS = {
  debtorAgent: { financialInstitutionIdentification: { other: { identification: "0800" } } },
  creditorAgent: { financialInstitutionIdentification: { bic: "TESTCZPP" } },
};

const DOMESTIC: TransactionDetails = {
  relatedParties: {
    debtor: { name: "Jan Novák" },
    debtorAccount: { identification: { iban: OTHER_IBAN } },
    creditorAccount: { identification: { iban: OWN_IBAN } },
  },
  relatedAgents: BANKS,
  remittanceInformation: {
    unstructured: "Nájem květen",
    structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308"] } },
  },
  additionalTransactionInformation: { cs: "Tuzemská platba", en: "Domestic payment" },
};

const SEPA: TransactionDetails = {
  references: { endToEndIdentification: "NOTPROVIDED" },
  relatedParties: {
    debtor: { name: "Jan Novak" },
    debtorAccount: { identification: { iban: OTHER_IBAN } },
    creditor: { name: "Erika Mustermann" },
    creditorAccount: { identification: { iban: "DE89370400440532013000" } },
  },
  relatedAgents: {
    debtorAgent: { financialInstitutionIdentification: { bic: "TESTCZPP" } },
    creditorAgent: { financialInstitutionIdentification: { bic: "COBADEFF" } },
  },
};

const DIRECT_DEBIT: TransactionDetails = {
  ...SEPA,
  references: { endToEndIdentification: "E2E-1", mandateIdentification: "M-1" },
};

/** Details of a payment in the currency of its account. */
const UNCONVERTED_PAYMENT: TransactionDetails = {
  ...SEPA,
  references: { accountServicerReference: "ZPS1" },
  charges: { bearer: "SHA" },
};

const FOREIGN_PAYMENT: TransactionDetails = {
  ...UNCONVERTED_PAYMENT,
  amountDetails: {
    instructedAmount: { amount: { value: "200.00", currency: "EUR" } },
    counterValueAmount: {
      amount: { value: "5000.00", currency: "CZK" },
      currencyExchange: { sourceCurrency: "CZK", targetCurrency: "EUR", exchangeRate: "25.0" },
    },
  },
};

const ofHistory = { ledger: HISTORY, currency: "CZK" };

/** Table: bookings, in the order of booking within each account. */
const BOOKED: readonly Movement[] = [
  { ...ofHistory, id: "H-400", daysAgo: 400, amount: 5_000_000n, code: "10000107000", details: DOMESTIC },
  { ...ofHistory, id: "H-091", daysAgo: 91, amount: -10_000n, code: "10000101000", details: DOMESTIC },
  { ...ofHistory, id: "H-090", daysAgo: 90, after: 0, amount: 100n, code: "90000201000" },
  { ...ofHistory, id: "H-060", daysAgo: 60, amount: 3_000_000n, code: "10000107000", details: DOMESTIC },
  { ...ofHistory, id: "H-050", daysAgo: 50, amount: -25_000n, code: "30000201000", details: CARD },
  { ...ofHistory, id: "H-045", daysAgo: 45, amount: -100_000n, code: "20000201000" },
  { ...ofHistory, id: "H-040", daysAgo: 40, amount: -2_500n, code: "40000605000" },
  { ...ofHistory, id: "H-030", daysAgo: 30, amount: -123_456n, code: "10000401000", details: SEPA },
  {
    ...ofHistory,
    id: "H-020",
    daysAgo: 20,
    amount: -500_000n,
    code: "10000201000",
    details: FOREIGN_PAYMENT,
  },
  { ...ofHistory, id: "H-010", daysAgo: 10, amount: -30_000n, code: "10000502000", details: DIRECT_DEBIT },
  {
    ...ofHistory,
    id: "H-009",
    daysAgo: 9,
    amount: 30_000n,
    code: "50000201003",
    details: DIRECT_DEBIT,
    isReversal: true,
  },
  { ...ofHistory, id: "H-005a", daysAgo: 5, amount: -150_000n, code: "10000105000", details: DOMESTIC },
  { ...ofHistory, id: "H-005b", daysAgo: 5, amount: -150_000n, code: "10000101000", details: DOMESTIC },
  {
    id: "M-EUR",
    ledger: MULTI_CURRENCY,
    currency: "EUR",
    daysAgo: 1,
    amount: 10_000n,
    code: "10000403000",
    details: SEPA,
  },
  {
    id: "M-USD",
    ledger: `${MULTI_CURRENCY}-usd`,
    currency: "USD",
    daysAgo: 2,
    amount: 7_000n,
    code: "10000202000",
    details: UNCONVERTED_PAYMENT,
  },
  {
    id: "R-1",
    ledger: RICH,
    currency: "USD",
    daysAgo: 3,
    amount: 99_999_999_999_999_999n,
    code: "10000202000",
    details: UNCONVERTED_PAYMENT,
  },
  {
    id: "F-1",
    ledger: FOREIGN,
    currency: "USD",
    daysAgo: 1,
    amount: 500n,
    code: "10000202000",
    details: UNCONVERTED_PAYMENT,
  },
];

/** References of the last 90 days of the account with a history, newest first; pending ones come before. */
export const RECENT: readonly string[] = [
  "P-1",
  ...BOOKED.filter(({ ledger, daysAgo }) => ledger === HISTORY && daysAgo <= 90)
    .map(({ id }) => id)
    .toReversed(),
];

/** The bank's own account, the counterpart of everything in a currency. */
export function ownLedgerOf(currency: string): string {
  return `bank-${currency.toLowerCase()}`;
}

/** The movements, relative to a moment. */
export function smallBookings(now: Date): readonly Booking[] {
  return BOOKED.map((movement) => bookingOf(movement, now));
}

/** A card payment of a minute ago. */
export function smallPending(now: Date): readonly PendingItem[] {
  const today = bankDayOf(now);
  return [
    {
      account: parseAccountId(HISTORY),
      id: "P-1",
      blockedAt: new Date(now.getTime() - 60_000),
      valueDate: today,
      amount: -49_900n,
      currency: parseCurrencyCode("CZK"),
      code: "30000201000",
      details: CARD,
    },
  ];
}

function bookingOf(movement: Movement, now: Date): Booking {
  const { id, ledger, currency, code, details = null, amount, isReversal } = movement;
  const day = daysBefore(bankDayOf(now), movement.daysAgo);
  const holder = { account: parseAccountId(ledger), code };
  const bank = { account: parseAccountId(ownLedgerOf(currency)), code };
  return {
    id,
    bookedAt: new Date(startOfBankDay(day).getTime() + (movement.after ?? TEN_O_CLOCK)),
    valueDate: day,
    amount: amount < 0n ? -amount : amount,
    currency: parseCurrencyCode(currency),
    debit: amount < 0n ? holder : bank,
    credit: amount < 0n ? bank : holder,
    details,
    ...(isReversal && { isReversal }),
  };
}
