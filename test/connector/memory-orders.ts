import { type Account, bankDayOf, requireTransaction, type Transaction } from "@cobs/cobs-model";
import type { OrderBank, OrderToExecute } from "@cobs/resource/sandbox";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";

/** What a bank in memory keeps of orders; each is executed as soon as it is taken. */
export interface MemoryOrders {
  readonly bank: OrderBank;
  /** Of an account, in the order of booking. */
  bookedOn(account: Account["id"]): readonly { readonly at: Date; readonly entry: Transaction }[];
}

/** Every account has so much, whatever was paid before. */
const FUNDS = 1_000_000n;

/** Takes orders of these accounts, each payment id once. */
export function memoryOrders(accountsOf: (psu: string) => readonly Account[]): MemoryOrders {
  const taken = new Map<string, OrderToExecute>();
  const bookings: { readonly at: Date; readonly order: OrderToExecute }[] = [];
  const all = () => ["anna", "boris"].flatMap((psu) => accountsOf(psu));
  const unknown = { code: "AC02", path: undefined, message: "no such account" } as const;

  const bank: OrderBank = {
    terms: async () => SANDBOX_TERMS,
    inspectOrder: async ({ psu, order }) => {
      const account = accountsOf(psu).find(({ iban }) => iban === order.debtorAccount.iban);
      return { account: account?.id, fee: undefined, faults: account === undefined ? [unknown] : [] };
    },
    acceptOrder: async (order) => {
      const known = taken.get(order.paymentId);
      if (known !== undefined && !known.digest.equals(order.digest))
        return { outcome: "rejected", reason: "digest_mismatch" };
      taken.set(order.paymentId, order);
      if (isBeyondFunds(order)) return { outcome: "rejected", reason: "funds_insufficient" };
      if (known === undefined) bookings.push({ at: new Date(), order });
      return { outcome: "accepted" };
    },
    progressOf: async (paymentId) => {
      const known = taken.get(paymentId);
      if (known === undefined) return { state: "unknown" };
      if (isBeyondFunds(known)) return { state: "rejected", reason: "funds_insufficient" };
      return { state: "completed", entryReference: paymentId };
    },
    hasFunds: async ({ psu, iban, amount }) => {
      const accounts = psu === undefined ? all() : accountsOf(psu);
      if (!accounts.some((account) => account.iban === iban)) return { known: false, fault: unknown };
      return { known: true, enough: amount.minor <= FUNDS };
    },
  };

  return {
    bank,
    bookedOn: (account) =>
      bookings
        .filter(({ order }) => order.account === account)
        .map(({ at, order }) => ({ at, entry: entryOf(at, order) })),
  };
}

function isBeyondFunds({ order }: OrderToExecute): boolean {
  return order.amount.minor > FUNDS;
}

/** As another service of the bank, which needs no details. */
function entryOf(at: Date, { paymentId, order }: OrderToExecute): Transaction {
  return requireTransaction({
    entryReference: paymentId,
    amount: { value: (Number(order.amount.minor) / 100).toFixed(2), currency: order.amount.currency },
    direction: "DBIT",
    isReversal: false,
    status: "BOOK",
    bookingDate: bankDayOf(at),
    valueDate: bankDayOf(at),
    code: "90000701000",
    details: null,
  });
}
