import { createHash, randomBytes } from "node:crypto";
import { type Account, bankDayOf, type Iban, type PaymentOrder, type PsuId } from "@cobs/cobs-model";
import type { OrderToExecute } from "../bank/orders.ts";

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

/** The same as it is handed over, under a new payment id. */
export function kitOrderToExecute(
  psu: PsuId,
  account: Pick<Account, "id" | "iban" | "currency">,
  payee: Iban,
): OrderToExecute {
  const paymentId = newPaymentId();
  return {
    paymentId,
    digest: createHash("sha256").update(paymentId).digest(),
    approvalId: `kit-${paymentId}`,
    psu,
    account: account.id,
    order: kitOrder(account, payee),
    fee: undefined,
    executionDate: bankDayOf(new Date()),
  };
}
