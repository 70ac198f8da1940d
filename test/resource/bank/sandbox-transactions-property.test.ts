import {
  type CurrencyCode,
  readStoredTransaction,
  TRANSACTION_SORT_FIELDS,
  type TransactionDetails,
} from "@cobs/cobs-model";
import type { SandboxBankContent } from "@cobs/resource";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import fc from "fast-check";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { bankTimeOf, type HistoryItem, listHistory } from "./history-model.ts";
import { openMigratedDatabase } from "./migrated-database.ts";
import { ANNA, CZK, EUR, idsOf, ledgerOf } from "./test-ledgers.ts";

interface Movement {
  readonly at: Date;
  /** Minor units, signed as the account sees it. */
  readonly amount: bigint;
  readonly isEuro: boolean;
  readonly code: string;
  readonly valueDate: string;
  readonly isReversal: boolean;
  readonly details: TransactionDetails | null;
}

const HOUR = 3_600_000;
/** Around both changes of the clocks in Prague, so that days and offsets differ. */
const STARTS = [Date.UTC(2025, 9, 25, 20), Date.UTC(2026, 2, 28, 20)];

const instant = fc
  .tuple(fc.constantFrom(...STARTS), fc.nat(40), fc.constantFrom(0, 1, HOUR / 2))
  .map(([start, hours, rest]) => new Date(start + hours * HOUR + rest));
const movement: fc.Arbitrary<Movement> = fc.record({
  at: instant,
  amount: fc.constantFrom(-3n, -2n, -1n, 1n, 2n, 9_007_199_254_740_993n),
  isEuro: fc.boolean(),
  code: fc.constantFrom("10000107000", "20000101000", "30000201000", "40000605000", "90000201000"),
  valueDate: fc.constantFrom("2025-10-25", "2025-10-26", "2026-03-29"),
  isReversal: fc.boolean(),
  details: fc.constantFrom(null, { remittanceInformation: { unstructured: `žluť "a" 'b'` } }),
});
const input = fc.record({
  isEuro: fc.constantFrom(undefined, false, true),
  from: fc.oneof(fc.constant(new Date(0)), instant),
  before: fc.option(instant, { nil: undefined }),
  sort: fc.shuffledSubarray([...TRANSACTION_SORT_FIELDS]).chain((fields) =>
    fc.tuple(
      ...fields.map((field) =>
        fc.record({
          field: fc.constant(field),
          direction: fc.constantFrom<"asc" | "desc">("asc", "desc"),
        }),
      ),
    ),
  ),
  page: fc.record({ page: fc.nat(4), size: fc.integer({ min: 1, max: 7 }) }),
});

type Ledger = { readonly booked: readonly Movement[]; readonly pending: readonly Movement[] };

const byTime = (one: Movement, other: Movement) => one.at.getTime() - other.at.getTime();
const referenceOf = (kind: string, index: number) => `${kind}${["a", "Z", "é", "-"][index % 4]}${index}`;

function contentOf(name: string, { booked, pending }: Ledger): SandboxBankContent {
  const ids = idsOf(name);
  const bookings = booked.map((each, index) => {
    const own = { account: each.isEuro ? ids.inEuro : ids.account, code: each.code };
    const bank = { account: each.isEuro ? ids.bankInEuro : ids.bank, code: each.code };
    const [debit, credit] = each.amount < 0n ? [own, bank] : [bank, own];
    return {
      ...each,
      id: referenceOf("T", index),
      bookedAt: each.at,
      amount: each.amount < 0n ? -each.amount : each.amount,
      currency: each.isEuro ? EUR : CZK,
      debit,
      credit,
    };
  });
  const items = pending.map((each, index) => ({
    ...each,
    account: each.isEuro ? ids.inEuro : ids.account,
    id: referenceOf("P", index),
    blockedAt: each.at,
    currency: each.isEuro ? EUR : CZK,
  }));
  // Without limits: what the balances come to is another test's business.
  const unlimited = ledgerOf(name).ledger.map((each) => ({ ...each, overdraftLimit: 2n ** 62n }));
  return ledgerOf(name, { bookings, pending: items, ledger: unlimited });
}

function historyOf({ booked, pending }: Ledger, wantsEuro: boolean): readonly HistoryItem[] {
  const items = (movements: readonly Movement[], kind: "T" | "P") =>
    movements
      .map((each, index) => ({ each, reference: referenceOf(kind, index) }))
      .filter(({ each }) => each.isEuro === wantsEuro);
  const order = items(pending, "P").toSorted(
    (one, other) =>
      byTime(one.each, other.each) ||
      Buffer.compare(Buffer.from(one.reference), Buffer.from(other.reference)),
  );
  return [
    ...items(booked, "T")
      .toSorted((one, other) => byTime(one.each, other.each))
      .map(itemOf("BOOK")),
    ...order.map(itemOf("PDNG")),
  ];
}

const itemOf =
  (status: "BOOK" | "PDNG") =>
  ({ each, reference }: { readonly each: Movement; readonly reference: string }): HistoryItem => {
    const time = bankTimeOf(each.at);
    return {
      at: each.at,
      transaction: {
        entryReference: reference,
        amount: { minor: each.amount < 0n ? -each.amount : each.amount, currency: each.isEuro ? EUR : CZK },
        direction: each.amount < 0n ? "DBIT" : "CRDT",
        isReversal: status === "BOOK" && each.isReversal,
        status,
        bookingDate: /^[23]/.test(each.code) ? time : time.slice(0, 10),
        valueDate: each.valueDate,
        code: each.code,
        details: each.details,
      },
    };
  };

describe("any history of the sandbox bank", () => {
  let database: Database;
  let ledgers = 0;

  before(async () => {
    database = await openMigratedDatabase();
  });
  after(() => database.close());

  it("matches a plain model for every page, span, order and currency", async () => {
    const bank = openSandboxBank(database);
    const ledger = fc.record({
      booked: fc.array(movement, { maxLength: 30 }),
      pending: fc.array(movement, { maxLength: 5 }),
    });
    const inputs = fc.array(input, { minLength: 12, maxLength: 12 });
    const property = fc.asyncProperty(ledger, inputs, async (drawn, wanted) => {
      ledgers += 1;
      const name = `ledger${ledgers}`;
      await seedSandboxBank(database, contentOf(name, drawn));
      for (const { isEuro, ...each } of wanted) {
        const currency: CurrencyCode | undefined = isEuro === undefined ? undefined : isEuro ? EUR : CZK;
        const { entries, totalCount } = await bank.listTransactions({
          ...each,
          psu: ANNA,
          account: idsOf(name).account,
          currency,
        });
        const told = { entries: entries.map(readStoredTransaction), totalCount };
        expect(told).to.deep.equal(listHistory(historyOf(drawn, isEuro === true), each));
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
