import { randomBytes } from "node:crypto";
import {
  type Account,
  type BankTerms,
  bankDayOf,
  type Iban,
  makeIban,
  PAYMENT_TYPES,
  type PaymentOrder,
  type PaymentType,
  type PsuId,
  parseCurrencyCode,
} from "@cobs/cobs-model";
import type { OrderToExecute } from "../bank/orders.ts";
import { bytesOfOrder } from "../payments/order-bytes.ts";
import { findPaymentId } from "../payments/payment-ids.ts";

/** Of no bank. */
export const NO_IBAN = makeIban("DE", "000000000000000000");

/** As PSUs write: whoever takes the digest of another encoding, or of JSON written anew, refuses what was approved. */
const MESSAGE = "Zkouška: příliš žluťoučký kůň";

/** One unit, of any currency with two decimals. */
const AMOUNT = 100n;

/** A payment id that was never used. */
export function newPaymentId(): string {
  return randomBytes(16).toString("hex");
}

/** A small instant order from an account. */
export function kitOrder({ iban, currency }: Pick<Account, "iban" | "currency">, payee: Iban): PaymentOrder {
  return {
    type: "domestic",
    instructionIdentification: newPaymentId(),
    endToEndIdentification: undefined,
    priority: "INST",
    amount: { minor: AMOUNT, currency },
    requestedExecutionDate: undefined,
    chargeBearer: undefined,
    debtorAccount: { iban, currency: undefined },
    creditor: undefined,
    creditorAgent: undefined,
    creditorAccount: { iban: payee, currency: undefined },
    ultimateDebtor: undefined,
    ultimateCreditor: undefined,
    unstructured: "connector-kit",
    references: [],
    symbols: {},
    initiatingParty: undefined,
  };
}

/** What each type of payment has beside its amount; a domestic one is what the kit orders otherwise. */
const OF_EACH_TYPE: Readonly<Record<PaymentType, Partial<PaymentOrder>>> = {
  domestic: {},
  sepa: { endToEndIdentification: "NOTPROVIDED", chargeBearer: "SLEV", creditor: { name: "Connector Kit" } },
  "inside-eea": {
    chargeBearer: "SHAR",
    creditor: { name: "Connector Kit" },
    creditorAgent: { bic: "TESTDEFF" },
  },
  "outside-eea": {
    chargeBearer: "DEBT",
    creditor: { name: "Connector Kit", postalAddress: { country: "US", addressLine: ["1 Main Street"] } },
    creditorAgent: { bic: "TESTUS33" },
    creditorAccount: { number: "123456789" },
  },
};

const EUR = parseCurrencyCode("EUR");

/** A small order of each type that the bank executes, in euros where a type needs them. */
export function ordersOfEachType(
  account: Pick<Account, "iban" | "currency">,
  { currencies, priorities }: BankTerms,
): readonly PaymentOrder[] {
  const order = kitOrder(account, NO_IBAN);
  return PAYMENT_TYPES.flatMap((type) => {
    const [priority] = priorities[type];
    const currency = type === "domestic" ? account.currency : EUR;
    if (priority === undefined || !currencies.includes(currency)) return [];
    return [{ ...order, ...OF_EACH_TYPE[type], type, priority, amount: { ...order.amount, currency } }];
  });
}

/** One of another amount, in minor units, as if that had been approved under the same payment id. */
export function withAmount(ordered: OrderToExecute, minor: bigint): OrderToExecute {
  const order = { ...ordered.order, amount: { ...ordered.order.amount, minor } };
  return { ...ordered, ...approvedBytes({ ...ordered, order }), order };
}

/** The text that a PSU would have approved, and its digest. */
export function approvedBytes({
  paymentId,
  ...terms
}: OrderToApprove): Pick<OrderToExecute, "digest" | "orderText"> {
  const id = findPaymentId(paymentId);
  if (id === undefined) throw new TypeError("the kit has made no such payment id");
  return bytesOfOrder({ id, ...terms });
}

/** What the text is made of. */
export type OrderToApprove = Pick<OrderToExecute, "paymentId" | "order" | "fee" | "executionDate">;

/** What an order of the kit may be beside what each of them is. */
export type ChangedOrder = Partial<
  Pick<OrderToExecute, "executionDate"> & Pick<PaymentOrder, "priority" | "instructionIdentification">
>;

/** The same as it is handed over, under a new payment id; executed today unless told otherwise. */
export function kitOrderToExecute(
  psu: PsuId,
  account: Pick<Account, "id" | "iban" | "currency">,
  payee: Iban,
  { executionDate = bankDayOf(new Date()), ...changed }: ChangedOrder = {},
): OrderToExecute {
  const paymentId = newPaymentId();
  const order = { ...kitOrder(account, payee), unstructured: MESSAGE, ...changed };
  const terms = { order, fee: undefined, executionDate };
  const approved = approvedBytes({ paymentId, ...terms });
  return { paymentId, ...approved, approvalId: `kit-${paymentId}`, psu, account: account.id, ...terms };
}
