import {
  type Account,
  bankDayOf,
  parseCurrencyCode,
  requireTransaction,
  type Transaction,
} from "@cobs/cobs-model";
import type { OrderBank, OrderOutcome, OrderToExecute } from "@cobs/resource/sandbox";
import { FUNDS_FAULTS } from "../../packages/resource/src/bank/order-faults.ts";
import { provesApproval } from "../../packages/resource/src/bank/proves-approval.ts";
import { SANDBOX_TERMS } from "../../packages/resource/src/bank/sandbox-orders/sandbox-terms.ts";

/** Orders that a bank in memory keeps; it executes each as soon as it is taken, or on its day. */
export interface MemoryOrders {
  readonly bank: OrderBank;
  /** Entries of an account, in the order of booking. */
  bookedOn(account: Account): readonly { readonly at: Date; readonly entry: Transaction }[];
  /** Available amount of an account, in minor units. */
  availableOn(account: Account): bigint;
}

const CZK = parseCurrencyCode("CZK");

/** Currencies of every account, and the only ones that are exchanged. */
const KEPT = [CZK, parseCurrencyCode("EUR")];

/** Initial funds of an account; an account that shares its IBAN has fewer. */
const [FUNDS, FEWER_FUNDS] = [1_000_000n, 500_000n];

/** An order under its payment id, and its outcome. */
interface KeptOrder {
  readonly order: OrderToExecute;
  readonly outcome: OrderOutcome;
  readonly at: Date;
}

/** Takes orders of these accounts, each payment id once. */
export function memoryOrders(accountsOf: (psu: string) => readonly Account[]): MemoryOrders {
  const kept = new Map<string, KeptOrder>();
  const notKept = { code: "AC10", path: "debtorAccount.currency", message: "not kept in it" } as const;
  const unknown = { code: "AC02", path: undefined, message: "no such account" } as const;

  const executed = () =>
    [...kept.values()].filter(({ order, outcome }) => outcome.outcome === "accepted" && isDue(order));
  const bookedOn: MemoryOrders["bookedOn"] = (account) =>
    executed().flatMap(({ at, order }) => {
      if (order.account === account.id) return [{ at, entry: entryOf(at, order, "DBIT") }];
      return isPayee(order, account) ? [{ at, entry: entryOf(at, order, "CRDT") }] : [];
    });
  const availableOn: MemoryOrders["availableOn"] = (account) =>
    bookedOn(account).reduce(
      (sum, { entry: { amount, direction } }) => sum + (direction === "DBIT" ? -amount.minor : amount.minor),
      account.id.endsWith("-eur") ? FEWER_FUNDS : FUNDS,
    );

  function judge(order: OrderToExecute): OrderOutcome {
    if (!provesApproval(order)) return { outcome: "rejected", reason: "digest_mismatch" };
    const account = accountsOf(order.psu).find(({ id }) => id === order.account);
    if (account === undefined || account.iban !== order.order.debtorAccount.iban)
      return { outcome: "rejected", reason: "account_unknown" };
    if (order.order.amount.minor > availableOn(account))
      return { outcome: "rejected", reason: "funds_insufficient" };
    return { outcome: "accepted" };
  }

  const bank: OrderBank = {
    terms: async () => SANDBOX_TERMS,
    inspectOrder: async ({ psu, accounts, order }) => {
      const { iban } = order.debtorAccount;
      const account = accountsOf(psu).find(
        (each) => each.iban === iban && accounts?.includes(each.id) !== false,
      );
      if (account === undefined) return { account: undefined, fee: undefined, faults: [unknown] };
      const { currency = CZK } = order.debtorAccount;
      return { account: account.id, fee: undefined, faults: KEPT.includes(currency) ? [] : [notKept] };
    },
    acceptOrder: async (order) => {
      const known = kept.get(order.paymentId);
      if (known !== undefined && !known.order.digest.equals(order.digest))
        return { outcome: "rejected", reason: "digest_mismatch" };
      const { outcome } = known ?? { outcome: judge(order) };
      if (known === undefined) kept.set(order.paymentId, { order, outcome, at: new Date() });
      return outcome;
    },
    progressOf: async (paymentId) => {
      const known = kept.get(paymentId);
      if (known === undefined) return { state: "unknown" };
      const { outcome, order } = known;
      if (outcome.outcome === "rejected") return { state: "rejected", reason: outcome.reason };
      return isDue(order) ? { state: "completed", entryReference: paymentId } : { state: "accepted" };
    },
    hasFunds: async ({ psu, accounts, iban, currency = CZK, amount }) => {
      const account = accountsOf(psu).find((each) => each.iban === iban && accounts.includes(each.id));
      if (account === undefined) return { known: false, fault: FUNDS_FAULTS.AC02 };
      if (!KEPT.includes(currency)) return { known: false, fault: FUNDS_FAULTS.AC09 };
      if (!KEPT.includes(amount.currency)) return { known: false, fault: FUNDS_FAULTS.AM11 };
      return { known: true, account: account.id, enough: amount.minor <= availableOn(account) };
    },
  };
  return { bank, bookedOn, availableOn };
}

function isDue({ executionDate }: OrderToExecute): boolean {
  return executionDate <= bankDayOf(new Date());
}

function isPayee({ order: { creditorAccount } }: OrderToExecute, { iban }: Account): boolean {
  return "iban" in creditorAccount && creditorAccount.iban === iban;
}

/** An entry of an order, coded as another service of the bank, which needs no details. */
function entryOf(
  at: Date,
  { paymentId, order }: OrderToExecute,
  direction: Transaction["direction"],
): Transaction {
  return requireTransaction({
    entryReference: direction === "DBIT" ? paymentId : `C-${paymentId}`,
    amount: { value: (Number(order.amount.minor) / 100).toFixed(2), currency: order.amount.currency },
    direction,
    isReversal: false,
    status: "BOOK",
    bookingDate: bankDayOf(at),
    valueDate: bankDayOf(at),
    code: "90000701000",
    details: null,
  });
}
