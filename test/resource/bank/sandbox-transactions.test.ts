import {
  type CurrencyCode,
  readStoredTransaction,
  type Sort,
  type TransactionSortField,
} from "@cobs/cobs-model";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { AccountBank, TransactionListRequest } from "../../../packages/resource/src/bank/bank.ts";
import { BankRefusal } from "../../../packages/resource/src/bank/bank-refusal.ts";
import { openSandboxAccounts } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { explainingQueries } from "../../../scripts/bench/history/explaining-queries.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { openMigratedDatabase } from "./migrated-database.ts";
import { ANNA, BORIS, CZK, EUR, idsOf, ledgerOf, USD } from "./test-ledgers.ts";

const { account, inEuro, bank: bankOwn, bankInEuro } = idsOf("x");
const DETAILS = { remittanceInformation: { unstructured: "Nájem" } };

interface Drawn {
  readonly code?: string;
  readonly amount?: bigint;
  readonly isReversal?: boolean;
  readonly valueDate?: string;
}

function deposit(id: string, at: string, { code = "10000107000", amount = 100n, ...more }: Drawn = {}) {
  return {
    id,
    bookedAt: new Date(at),
    valueDate: "2026-03-01",
    amount,
    currency: CZK,
    debit: { account: bankOwn, code },
    credit: { account, code },
    details: DETAILS,
    ...more,
  };
}

const CONTENT = ledgerOf("x", {
  bookings: [
    deposit("t1", "2025-10-26T00:30:00Z", { code: "30000103000", amount: 300n }),
    deposit("t2", "2025-10-26T01:30:00Z", { code: "20000101000", amount: 9_007_199_254_740_993n }),
    deposit("t3", "2026-03-28T23:30:00Z", { isReversal: true, valueDate: "2026-03-02" }),
    deposit("t4", "2026-03-29T01:30:00Z", { amount: 50n }),
    {
      ...deposit("e1", "2026-01-01T10:00:00Z"),
      currency: EUR,
      debit: { account: bankInEuro, code: "10000403000" },
      credit: { account: inEuro, code: "10000403000" },
      details: null,
    },
  ],
  pending: [
    {
      account,
      id: "p1",
      blockedAt: new Date("2026-03-01T10:00:00Z"),
      valueDate: "2026-03-31",
      amount: -20n,
      currency: CZK,
      code: "30000201000",
      details: null,
    },
  ],
});

describe("transactions of the sandbox bank (COBS 3.1.5)", () => {
  let database: Database;
  let bank: AccountBank;

  before(async () => {
    database = await openMigratedDatabase();
    bank = openSandboxAccounts(database);
    await seedSandboxBank(database, CONTENT);
  });
  after(() => database.close());

  const request = (wanted: Partial<TransactionListRequest>): TransactionListRequest => ({
    psu: ANNA,
    account,
    currency: undefined,
    from: new Date("2020-01-01T00:00:00Z"),
    before: undefined,
    sort: [],
    page: { page: 0, size: 100 },
    ...wanted,
  });
  const list = async (wanted: Partial<TransactionListRequest> = {}) => {
    const { entries, totalCount } = await bank.listTransactions(request(wanted));
    return { entries: entries.map(readStoredTransaction), totalCount };
  };
  /** How many pages of 8 kB the bank touches for an answer. */
  const buffersOf = (ask: (bank: AccountBank) => Promise<unknown>) =>
    database.transaction(async (queries) => {
      const explaining = explainingQueries(queries);
      await ask(openSandboxAccounts(explaining));
      return explaining.buffers();
    });
  const referencesOf = async (wanted: Partial<TransactionListRequest> = {}) =>
    (await list(wanted)).entries.map(({ entryReference }) => entryReference);
  const sortedBy = (field: TransactionSortField, direction: "asc" | "desc" = "asc") => ({
    sort: [{ field, direction }],
  });
  const codeOf = async (promise: Promise<unknown>) => {
    const refusal = await rejectionOf(promise);
    return refusal instanceof BankRefusal ? refusal.code : refusal;
  };

  it("are returned with every field", async () => {
    const { entries } = await list();
    expect(entries[2]).to.deep.equal({
      entryReference: "t3",
      amount: { minor: 100n, currency: CZK },
      direction: "CRDT",
      isReversal: true,
      status: "BOOK",
      bookingDate: "2026-03-29",
      valueDate: "2026-03-02",
      code: "10000107000",
      details: DETAILS,
    });
    expect(entries[0]).to.deep.equal({
      entryReference: "p1",
      amount: { minor: 20n, currency: CZK },
      direction: "DBIT",
      isReversal: false,
      status: "PDNG",
      bookingDate: "2026-03-01T11:00:00.000+01:00",
      valueDate: "2026-03-31",
      code: "30000201000",
      details: null,
    });
  });

  it("give the time of cards and cash with its own offset, also in the repeated hour (A-42)", async () => {
    const { entries } = await list(sortedBy("bookingDate"));
    const [atm, cash] = entries.map(({ bookingDate }) => bookingDate);
    expect(atm).to.equal("2025-10-26T02:30:00.000+02:00");
    expect(cash).to.equal("2025-10-26T02:30:00.000+01:00");
  });

  it("keep amounts exact that a binary floating-point number cannot hold", async () => {
    const { entries } = await list(sortedBy("amount", "desc"));
    expect(entries[0]?.amount.minor).to.equal(9_007_199_254_740_993n);
  });

  it("come newest first, with pending ones before all", async () => {
    expect(await referencesOf()).to.deep.equal(["p1", "t4", "t3", "t2", "t1"]);
    expect(await referencesOf(sortedBy("bookingDate", "desc"))).to.deep.equal(["p1", "t4", "t3", "t2", "t1"]);
  });

  it("come oldest first on request, with pending ones at the end", async () => {
    expect(await referencesOf(sortedBy("bookingDate"))).to.deep.equal(["t1", "t2", "t3", "t4", "p1"]);
  });

  it("come page by page, each with the total count", async () => {
    const pages = await Promise.all([0, 1, 2].map((page) => list({ page: { page, size: 2 } })));
    expect(pages.map(({ entries }) => entries.map(({ entryReference }) => entryReference))).to.deep.equal([
      ["p1", "t4"],
      ["t3", "t2"],
      ["t1"],
    ]);
    expect(pages.map(({ totalCount }) => totalCount)).to.deep.equal([5, 5, 5]);
  });

  it("are none past the end, with the total count still given", async () => {
    for (const wanted of [sortedBy("bookingDate"), sortedBy("bookingDate", "desc"), sortedBy("amount"), {}]) {
      const page = { page: 999_999_999_999_999, size: 100 };
      expect(await list({ ...wanted, page })).to.deep.equal({ entries: [], totalCount: 5 });
    }
  });

  it("are those from the start of a span to before its end; pending ones count by when they were blocked", async () => {
    const from = new Date("2025-10-26T01:30:00Z");
    expect(await referencesOf({ from, before: new Date("2026-03-28T23:30:00Z") })).to.deep.equal([
      "p1",
      "t2",
    ]);
    expect(await referencesOf({ from, before: new Date("2026-03-01T10:00:00Z") })).to.deep.equal(["t2"]);
    expect(await referencesOf({ from, before: new Date("2026-03-28T23:30:00.001Z") })).to.deep.equal([
      "p1",
      "t3",
      "t2",
    ]);
  });

  it("are none in a span without any, also one whose end is before its start", async () => {
    const spans: readonly (readonly [string, string])[] = [
      ["2020-01-01", "2020-01-02"],
      ["2025-11-01", "2025-11-02"],
      ["2027-01-01", "2027-01-02"],
      ["2026-01-01", "2025-01-01"],
    ];
    for (const [from, before] of spans) {
      const told = await list({ from: new Date(from), before: new Date(before) });
      expect(told, from).to.deep.equal({ entries: [], totalCount: 0 });
    }
  });

  it("are sorted by day before the next field when the booking date is not the only one (A-08)", async () => {
    const sort: readonly Sort<TransactionSortField>[] = [
      { field: "bookingDate", direction: "desc" },
      { field: "amount", direction: "asc" },
    ];
    expect(await referencesOf({ sort })).to.deep.equal(["t4", "t3", "p1", "t1", "t2"]);
  });

  it("with equal keys stay in the order of booking", async () => {
    expect(await referencesOf(sortedBy("valueDate", "desc"))).to.deep.equal(["p1", "t3", "t1", "t2", "t4"]);
  });

  it("are sorted otherwise up to 10,000, and refused beyond that before anything is read", async () => {
    const { account: busy, bank: other } = idsOf("busy");
    const bookings = Array.from({ length: 10_001 }, (_, index) => ({
      ...deposit(`b${index}`, new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(), {
        amount: BigInt(20_000 - index),
      }),
      debit: { account: other, code: "10000107000" },
      credit: { account: busy, code: "10000107000" },
    }));
    await seedSandboxBank(database, ledgerOf("busy", { bookings }));
    const bySize = { ...sortedBy("amount"), account: busy, page: { page: 0, size: 1 } };
    expect(await codeOf(list(bySize))).to.equal("sort_too_large");
    expect(await buffersOf((each) => codeOf(each.listTransactions(request(bySize))))).to.be.below(30);
    const told = await list({ ...bySize, from: new Date(Date.UTC(2026, 0, 1) + 60_000) });
    expect(told.totalCount).to.equal(10_000);
    expect(told.entries.map(({ entryReference }) => entryReference)).to.deep.equal(["b10000"]);
    expect((await list({ account: busy, page: { page: 0, size: 1 } })).totalCount).to.equal(10_001);
    const balances = { psu: ANNA, account: busy, currency: undefined };
    expect(await buffersOf((each) => each.balancesOf(balances)), "balances").to.be.below(30);
  });

  it("are those of the requested currency (A-43)", async () => {
    expect(await referencesOf({ currency: EUR })).to.deep.equal(["e1"]);
    expect(await referencesOf({ currency: CZK })).to.have.length(5);
    expect(await codeOf(list({ currency: USD }))).to.equal("currency_unknown");
  });

  it("are refused to a PSU without access, whatever is requested", async () => {
    const currencies: readonly (CurrencyCode | undefined)[] = [undefined, USD];
    for (const currency of currencies) {
      expect(await codeOf(list({ psu: BORIS, currency }))).to.equal("account_unknown");
    }
    expect(await codeOf(list({ psu: BORIS, ...sortedBy("amount") }))).to.equal("account_unknown");
    expect(await codeOf(list({ account: inEuro }))).to.equal("account_unknown");
  });
});
