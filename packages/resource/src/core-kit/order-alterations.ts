import {
  type Account,
  daysBefore,
  findCzechIbanParts,
  findPaymentType,
  type Iban,
  makeCzechIban,
  parseCzechAccountNumber,
} from "@cobs/cobs-model";
import { askInspection } from "../bank/http-connector/order-questions.ts";
import type { OrderToExecute } from "../bank/orders.ts";
import { approvedBytes, NO_IBAN, newPaymentId, withAmount } from "./kit-order.ts";
import { hasEnough } from "./kit-payer.ts";
import { type KitScene, LOOKED_AT_ACCOUNTS } from "./kit-scene.ts";

/** The amount of two orders. */
export const TWICE = 200n;

/** Account numbers, which need not exist at the payee's bank. */
const NUMBERS = ["7770001239", "19-2000145399"].map((text) => parseCzechAccountNumber(text));

/** Alters an order; undefined if this alteration alone would not be noticeable. */
type Alteration = (
  ordered: OrderToExecute,
  scene: KitScene,
) => OrderToExecute | undefined | Promise<OrderToExecute | undefined>;

/** Table: ways in which an order can differ from the one that its PSU approved. */
export const ALTERATIONS: readonly (readonly [string, Alteration])[] = [
  ["another amount", (ordered) => ({ ...ordered, order: withAmount(ordered, TWICE).order })],
  ["another currency", inOtherCurrency],
  ["another payer", fromOtherPayer],
  [
    "another payee",
    (ordered) => ({
      ...ordered,
      order: { ...ordered.order, creditorAccount: { iban: otherPayee(ordered), currency: undefined } },
    }),
  ],
  ["another day", (ordered) => ({ ...ordered, executionDate: daysBefore(ordered.executionDate, 1) })],
  [
    "another charge",
    (ordered) => ({ ...ordered, fee: withAmount(ordered, (ordered.fee?.minor ?? 0n) + TWICE).order.amount }),
  ],
  ["another digest", (ordered) => ({ ...ordered, digest: withAmount(ordered, TWICE).digest })],
  [
    "the text of another payment",
    (ordered) => ({ ...ordered, ...approvedBytes({ ...ordered, paymentId: newPaymentId() }) }),
  ],
  [
    "a text of another digest",
    (ordered) => ({ ...ordered, orderText: withAmount(ordered, TWICE).orderText }),
  ],
];

/**
 * Another payee that keeps the order's type (COBS 3.2.4): a core system that derives the type would otherwise refuse it as
 * malformed.
 */
function otherPayee({ order: { creditorAccount } }: OrderToExecute): Iban {
  const payee = "iban" in creditorAccount ? creditorAccount.iban : NO_IBAN;
  const bank = findCzechIbanParts(payee)?.bankCode;
  const others = bank === undefined ? [] : NUMBERS.map((number) => makeCzechIban(bank, number));
  return others.find((iban) => iban !== payee) ?? NO_IBAN;
}

/** Changes the currency but keeps the type, with a payee at the same bank (COBS 3.2.4). */
async function inOtherCurrency(
  ordered: OrderToExecute,
  scene: KitScene,
): Promise<OrderToExecute | undefined> {
  const terms = await scene.terms();
  const { type, amount, creditorAccount } = ordered.order;
  if (!("iban" in creditorAccount)) return undefined;
  const { iban } = creditorAccount;
  const currency = terms.currencies.find((each) => {
    const signs = {
      amount: { instructedAmount: { currency: each } },
      creditorAccount: { identification: { iban } },
    };
    return each !== amount.currency && findPaymentType(signs, terms) === type;
  });
  return currency && { ...ordered, order: { ...ordered.order, amount: { ...amount, currency } } };
}

/** Changes the payer to another account of the same PSU, in the same currency, that could pay too. */
async function fromOtherPayer(ordered: OrderToExecute, scene: KitScene): Promise<OrderToExecute | undefined> {
  const { psu, order } = ordered;
  const { amount, debtorAccount } = order;
  const isOther = ({ iban, currency }: Account) =>
    currency === amount.currency && iban !== debtorAccount.iban && iban !== scene.payee;
  for (const account of (await scene.accounts()).slice(0, LOOKED_AT_ACCOUNTS).filter(isOther)) {
    const other = { ...order, debtorAccount: { ...debtorAccount, iban: account.iban } };
    const told = await scene.core.ask(askInspection({ psu, accounts: undefined, order: other }));
    const canPay = told.faults.length === 0 && told.account === account.id;
    if (canPay && (await hasEnough(scene, { account, order: other, fee: told.fee })))
      return { ...ordered, account: account.id, order: other };
  }
  return undefined;
}
