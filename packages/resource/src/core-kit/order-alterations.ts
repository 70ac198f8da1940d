import {
  daysBefore,
  findCzechIbanParts,
  type Iban,
  makeCzechIban,
  parseCzechAccountNumber,
} from "@cobs/cobs-model";
import type { OrderToExecute } from "../bank/orders.ts";
import { approvedBytes, NO_IBAN, newPaymentId, withAmount } from "./kit-order.ts";

/** As much as two of these orders. */
export const TWICE = 200n;

/** Of accounts, which the bank of a payee need not have. */
const NUMBERS = ["7770001239", "19-2000145399"].map((text) => parseCzechAccountNumber(text));

/** Table: how an order may be another than that which its PSU has approved. */
export const ALTERATIONS: readonly (readonly [string, (ordered: OrderToExecute) => OrderToExecute])[] = [
  ["another amount", (ordered) => ({ ...ordered, order: withAmount(ordered, TWICE).order })],
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

/** One by which an order is of the same type still (COBS 3.2.4): whoever derives it would refuse another as malformed. */
function otherPayee({ order: { creditorAccount } }: OrderToExecute): Iban {
  const payee = "iban" in creditorAccount ? creditorAccount.iban : NO_IBAN;
  const bank = findCzechIbanParts(payee)?.bankCode;
  const others = bank === undefined ? [] : NUMBERS.map((number) => makeCzechIban(bank, number));
  return others.find((iban) => iban !== payee) ?? NO_IBAN;
}
