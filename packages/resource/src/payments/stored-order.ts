import { type Money, type PaymentOrder, parseAmount, presentDecimal } from "@cobs/cobs-model";

/** An amount as stored: decimal, with every digit. */
type StoredAmount = { readonly value: string; readonly currency: string };

/** An order as stored: undefined members are missing. */
type StoredOrder = Omit<PaymentOrder, "amount"> & { readonly amount: StoredAmount };

/** Members that JSON omits when they are undefined. */
const ABSENT = {
  endToEndIdentification: undefined,
  requestedExecutionDate: undefined,
  chargeBearer: undefined,
  creditor: undefined,
  creditorAgent: undefined,
  ultimateDebtor: undefined,
  ultimateCreditor: undefined,
  unstructured: undefined,
  initiatingParty: undefined,
} satisfies Partial<PaymentOrder>;

/** Writes an order so that {@link readStoredOrder} gives the same order. */
export function writeStoredOrder(order: PaymentOrder): string {
  const stored: StoredOrder = { ...order, amount: storedAmount(order.amount) };
  return JSON.stringify(stored);
}

/** Reads an order as it was written; throws if the text is not even JSON with an amount. */
export function readStoredOrder(text: string): PaymentOrder {
  const stored: StoredOrder = JSON.parse(text);
  const { debtorAccount, creditorAccount } = stored;
  return {
    ...ABSENT,
    ...stored,
    amount: parseAmount(stored.amount),
    debtorAccount: { ...debtorAccount, currency: debtorAccount.currency },
    creditorAccount:
      "iban" in creditorAccount
        ? { ...creditorAccount, currency: creditorAccount.currency }
        : creditorAccount,
  };
}

/** Writes an amount without loss. */
export function writeStoredAmount(amount: Money): string {
  return JSON.stringify(storedAmount(amount));
}

/** Reads an amount as it was written. */
export function readStoredAmount(text: string): Money {
  const stored: StoredAmount = JSON.parse(text);
  return parseAmount(stored);
}

function storedAmount(amount: Money): StoredAmount {
  return { value: presentDecimal(amount), currency: amount.currency };
}
