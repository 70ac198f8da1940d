import {
  type Account,
  type AccountId,
  type CurrencyCode,
  findCzechAccountNumber,
  type Iban,
  makeCzechIban,
  type PaymentOrder,
  parseAccountId,
  parseCurrencyCode,
  parseIban,
  parsePsuId,
} from "@cobs/cobs-model";
import type { SandboxBankContent } from "@cobs/resource";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import type { OrderToExecute } from "../../../../packages/resource/src/bank/orders.ts";
import { bytesOfOrder } from "../../../../packages/resource/src/payments/order-bytes.ts";
import { createPaymentId } from "../../../../packages/resource/src/payments/payment-ids.ts";

export const CZK = parseCurrencyCode("CZK");
export const EUR = parseCurrencyCode("EUR");
export const USD = parseCurrencyCode("USD");
export const JPY = parseCurrencyCode("JPY");
export const PAYER = parsePsuId("payer");
export const PAYEE = parsePsuId("payee");

/** Accounts of a bank for trying out payments; each bank has its own IBANs. */
export type OrderScene = {
  /** Has 10,000.00 CZK with an overdraft of 500.00, and 1,000.00 EUR; belongs to Žaneta Płátcová. */
  readonly payer: Account;
  /** Has only crowns, and is empty. */
  readonly payee: Account;
  /** Has only euros. */
  readonly payeeInEuro: Account;
  readonly closed: Account;
  readonly savings: Account;
};

let scenes = 0;

/** Adds a new scene to a database, beside the existing ones. */
export async function setOrderScene(database: Database): Promise<OrderScene> {
  scenes += 1;
  const name = `o${scenes}`;
  const [payer, payee, closed, savings] = ["payer", "payee", "closed", "savings"].map((each, place) =>
    accountOf(`${name}-${each}`, scenes * 10 + place, CZK),
  );
  const payeeInEuro = accountOf(`${name}-euro`, scenes * 10 + 5, EUR);
  if (payer === undefined || payee === undefined || closed === undefined || savings === undefined)
    throw new TypeError("four were made");
  await seedSandboxBank(database, contentOf(name, { payer, payee, payeeInEuro, closed, savings }));
  return { payer, payee, payeeInEuro, closed, savings };
}

function contentOf(name: string, scene: OrderScene): SandboxBankContent {
  const { payer, payee, payeeInEuro, closed, savings } = scene;
  const accounts = [payer, payee, payeeInEuro, closed, savings];
  const inEuro = parseAccountId(`${payer.id}-EUR`);
  const outside = (currency: CurrencyCode) => parseAccountId(`${name}-outside-${currency}`);
  const opening = (to: AccountId, amount: bigint, currency: CurrencyCode) => ({
    id: `${to}-opening`,
    bookedAt: new Date("2026-01-02T10:00:00Z"),
    valueDate: "2026-01-02",
    amount,
    currency,
    debit: { account: outside(currency), code: "20000101000" },
    credit: { account: to, code: "20000101000" },
    details: null,
  });
  return {
    name,
    ledger: [
      ...accounts.map(({ id, currency }) => ({
        id,
        currency,
        overdraftLimit: id === payer.id ? 50_000n : 0n,
      })),
      { id: inEuro, currency: EUR, overdraftLimit: 0n },
      { id: outside(CZK), currency: CZK, overdraftLimit: null },
      { id: outside(EUR), currency: EUR, overdraftLimit: null },
    ],
    accounts,
    ledgers: [{ account: payer.id, currency: EUR, id: inEuro }],
    access: [
      ...[payer, closed, savings].map(({ id: account }) => ({ psu: PAYER, account })),
      ...[payee, payeeInEuro].map(({ id: account }) => ({ psu: PAYEE, account })),
    ],
    bookings: [
      opening(payer.id, 1_000_000n, CZK),
      opening(inEuro, 100_000n, EUR),
      opening(savings.id, 100_000n, CZK),
    ],
    traits: [
      { account: payer.id, holder: "Žaneta Płátcová" },
      { account: payee.id, holder: "Jan Příjemce" },
      { account: closed.id, closedAt: new Date("2026-02-01T00:00:00Z") },
      { account: savings.id, isPaymentAccount: false },
    ],
  };
}

function accountOf(id: string, place: number, currency: CurrencyCode): Account {
  const number = numberAt(place);
  return {
    id: parseAccountId(id),
    iban: makeCzechIban("9900", number),
    number,
    currency,
    servicer: { bankCode: "9900", countryCode: "CZ", bic: "TESTCZPP" },
    names: { cs: "Účet", en: "Account" },
    products: { cs: "Konto", en: "Account" },
  };
}

/** Account numbers with a correct checksum, at a sufficient distance from each other. */
function numberAt(place: number) {
  for (let base = 2_000_000_000 + place * 100; ; base += 1) {
    const number = findCzechAccountNumber({ prefix: "", base: String(base) });
    if (number !== undefined) return number;
  }
}

/** An account in another Czech bank. */
export const ELSEWHERE = parseIban("CZ6508000000192000145399");

/** An order of the payer in crowns, by default to another Czech bank. */
export function orderOf(
  { payer }: { readonly payer: Pick<Account, "iban"> },
  changed: Partial<PaymentOrder> = {},
): PaymentOrder {
  return {
    type: "domestic",
    instructionIdentification: "TPP-1",
    endToEndIdentification: undefined,
    priority: "NORM",
    amount: { minor: 100_000n, currency: CZK },
    requestedExecutionDate: undefined,
    chargeBearer: undefined,
    debtorAccount: { iban: payer.iban, currency: undefined },
    creditor: undefined,
    creditorAgent: undefined,
    creditorAccount: { iban: ELSEWHERE, currency: undefined },
    ultimateDebtor: undefined,
    ultimateCreditor: undefined,
    unstructured: "Faktura 2024005",
    references: ["VS:2024005", "KS:0308"],
    symbols: { variable: "2024005", constant: "0308" },
    initiatingParty: undefined,
    ...changed,
  };
}

/** The creditor's account of an order, by its IBAN. */
export function toIban(iban: Iban, currency?: CurrencyCode): Pick<PaymentOrder, "creditorAccount"> {
  return { creditorAccount: { iban, currency } };
}

/** An approved order under a new payment id, by default executed today. */
export function approved(
  { payer }: Pick<OrderScene, "payer">,
  order: PaymentOrder,
  changed: Partial<OrderToExecute> = {},
): OrderToExecute {
  const id = createPaymentId();
  const terms = { order, fee: undefined, executionDate: "2026-03-02", ...changed };
  return {
    paymentId: id,
    ...bytesOfOrder({ id, ...terms }),
    approvalId: `approval-${id}`,
    psu: PAYER,
    account: payer.id,
    ...terms,
  };
}
