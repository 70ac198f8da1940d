import { type AccountId, readStoredTransaction } from "@cobs/cobs-model";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { BookingRefusal } from "../../../packages/resource/src/bank/booking-refusal.ts";
import { addPending } from "../../../packages/resource/src/bank/pending-items-postgres.ts";
import { type NewBooking, postBooking } from "../../../packages/resource/src/bank/post-booking-postgres.ts";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { createTestDatabase } from "../../support/test-databases.ts";
import { openMigratedDatabase } from "./migrated-database.ts";
import { ANNA, CZK, EUR, idsOf, ledgerOf } from "./test-ledgers.ts";

const CODE = "10000101000";
let moves = 0;

function move(from: AccountId, to: AccountId, amount: bigint, more: Partial<NewBooking> = {}): NewBooking {
  moves += 1;
  return {
    id: `T-${moves}`,
    valueDate: "2026-03-01",
    amount,
    currency: CZK,
    debit: { account: from, code: CODE },
    credit: { account: to, code: "10000107000" },
    details: { remittanceInformation: { unstructured: `it's "žluť"` } },
    ...more,
  };
}

describe("the ledger of the running sandbox bank", () => {
  /** Two pools, as two processes have them. */
  let pools: readonly [Database, Database];
  let ledgers = 0;

  before(async () => {
    const url = await createTestDatabase();
    pools = [await openMigratedDatabase(url), await openMigratedDatabase(url)];
  });
  after(() => Promise.all(pools.map((pool) => pool.close())));

  /** A new ledger in which the account has 1,000 and an overdraft of 100. */
  const openLedger = async () => {
    ledgers += 1;
    const name = `w${ledgers}`;
    const ids = idsOf(name);
    const opening = { ...move(ids.bank, ids.account, 1_000n), bookedAt: new Date("2026-01-01T00:00:00Z") };
    await seedSandboxBank(pools[0], ledgerOf(name, { bookings: [opening] }, 100n));
    return ids;
  };
  const post = (booking: NewBooking, pool = pools[0]) =>
    pool.transaction((queries) => postBooking(queries, booking));
  const block = (account: AccountId, id: string, amount: bigint) =>
    pools[0].transaction((queries) =>
      addPending(queries, {
        account,
        id,
        amount,
        currency: CZK,
        code: CODE,
        valueDate: "2026-03-02",
        details: null,
      }),
    );
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => "done",
      (error: unknown) => (error instanceof BookingRefusal ? error.code : error),
    );
  const rows = (text: string, values: readonly unknown[]) => pools[0].run({ name: "", text, values });
  const standingOf = async (account: AccountId) => {
    const text = "SELECT balance, last_seq FROM sandbox_ledger WHERE account_id = $1";
    return (await rows(text, [account]))[0];
  };
  const listAll = async (account: AccountId) => {
    const { entries } = await openSandboxBank(pools[0]).listTransactions({
      psu: ANNA,
      account,
      currency: undefined,
      sort: [],
      page: { page: 0, size: 100 },
      from: new Date(0),
      before: undefined,
    });
    return entries.map(readStoredTransaction);
  };

  it("books both legs with the next numbers, the balances after them and the same time", async () => {
    const { account, bank } = await openLedger();
    const booking = move(account, bank, 300n, { isReversal: true });
    const bookedAt = await post(booking);
    const text = `SELECT account_id, seq, booked_at, amount, balance_after, is_reversal, transaction_code, details
      FROM sandbox_entry WHERE booking_id = $1 ORDER BY amount`;
    const common = { seq: 2n, booked_at: bookedAt, is_reversal: true, details: booking.details };
    expect(await rows(text, [booking.id])).to.deep.equal([
      { ...common, account_id: account, amount: -300n, balance_after: 700n, transaction_code: CODE },
      { ...common, account_id: bank, amount: 300n, balance_after: -700n, transaction_code: "10000107000" },
    ]);
    expect(await standingOf(account)).to.deep.equal({ balance: 700n, last_seq: 2n });
    expect((await listAll(account))[0]?.isReversal).to.equal(true);
  });

  it("gives each side its own details where they differ", async () => {
    const { account, bank } = await openLedger();
    const details = { additionalTransactionInformation: { cs: "Poplatek", en: "Fee" } };
    await post({ ...move(account, bank, 1n), debit: { account, code: CODE, details } });
    expect((await listAll(account))[0]?.details).to.deep.equal(details);
  });

  it("never gives a booking a time before that of the last one", async () => {
    const { account, bank } = await openLedger();
    const later = new Date(Date.now() + 3_600_000);
    await rows("UPDATE sandbox_ledger SET last_booked_at = $2 WHERE account_id = $1", [account, later]);
    expect(await post(move(account, bank, 1n))).to.deep.equal(later);
  });

  it("lets an account go down to its limit and no further", async () => {
    const { account, bank } = await openLedger();
    expect(await codeOf(post(move(account, bank, 1_101n)))).to.equal("funds_insufficient");
    expect(await codeOf(post(move(account, bank, 1_100n)))).to.equal("done");
    expect(await codeOf(post(move(account, bank, 1n)))).to.equal("funds_insufficient");
    expect(await standingOf(account)).to.deep.equal({ balance: -100n, last_seq: 2n });
  });

  it("refuses an account that is not in the ledger, or not in that currency", async () => {
    const { account, inEuro, bank } = await openLedger();
    const { account: unknown } = idsOf("nosuch");
    expect(await codeOf(post(move(bank, unknown, 1n)))).to.equal("ledger_unknown");
    expect(await codeOf(post(move(bank, inEuro, 1n)))).to.equal("ledger_unknown");
    expect(await codeOf(post(move(account, bank, 1n, { currency: EUR })))).to.equal("ledger_unknown");
    expect(await codeOf(post(move(bank, bank, 1n)))).to.be.instanceOf(TypeError);
  });

  it("books an id once, also when 50 attempts come at the same time", async () => {
    const { account, bank } = await openLedger();
    const booking = move(bank, account, 1n);
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => codeOf(post(booking, pools[index % 2 === 0 ? 0 : 1]))),
    );
    expect(codes.filter((code) => code === "done")).to.have.length(1);
    expect(codes.filter((code) => code === "booking_known")).to.have.length(49);
  });

  it("cancels a booking by a reversal in the other direction", async () => {
    const { account, bank } = await openLedger();
    await post(move(account, bank, 300n));
    await post(move(bank, account, 300n, { isReversal: true }));
    expect(await standingOf(account)).to.deep.equal({ balance: 1_000n, last_seq: 3n });
    const told = (await listAll(account)).map(({ direction, isReversal }) => [direction, isReversal]);
    expect(told.slice(0, 2)).to.deep.equal([
      ["CRDT", true],
      ["DBIT", false],
    ]);
  });

  describe("with pending items", () => {
    it("keeps a blocked amount from being spent", async () => {
      const { account, bank } = await openLedger();
      await block(account, "p", -1_000n);
      expect(await codeOf(post(move(account, bank, 101n)))).to.equal("funds_insufficient");
      expect(await codeOf(block(account, "q", -101n))).to.equal("funds_insufficient");
      expect(await codeOf(post(move(account, bank, 100n)))).to.equal("done");
    });

    it("does not let an announced credit be spent", async () => {
      const { account, bank } = await openLedger();
      await block(account, "p", 5_000n);
      expect(await codeOf(post(move(account, bank, 1_101n)))).to.equal("funds_insufficient");
    });

    it("replaces a pending item by its booking, and only once", async () => {
      const { account, bank } = await openLedger();
      await block(account, "p", -1_100n);
      const settle = (amount: bigint) => post(move(account, bank, amount, { settles: "p" }));
      const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(settle(1n))));
      expect(codes.filter((code) => code === "done")).to.have.length(1);
      expect(codes.filter((code) => code === "pending_unknown")).to.have.length(49);
      expect((await listAll(account)).map(({ status }) => status)).to.deep.equal(["BOOK", "BOOK"]);
    });

    it("keeps a pending item whose booking is refused", async () => {
      const { account, bank } = await openLedger();
      await block(account, "p", -1_100n);
      const more = move(account, bank, 1_101n, { settles: "p" });
      expect(await codeOf(post(more))).to.equal("funds_insufficient");
      expect(await codeOf(block(account, "p", 1n))).to.equal("pending_known");
    });

    it("blocks no more than there is, though 50 attempts come at the same time", async () => {
      const { account } = await openLedger();
      const codes = await Promise.all(
        Array.from({ length: 50 }, (_, index) => codeOf(block(account, `p${index}`, -100n))),
      );
      expect(codes.filter((code) => code === "done")).to.have.length(11);
      expect(codes.filter((code) => code === "funds_insufficient")).to.have.length(39);
    });
  });

  it("stays consistent under 50 bookings at a time between few accounts from two processes", async () => {
    const ledgersOfRace = await Promise.all([openLedger(), openLedger(), openLedger()]);
    const accounts = ledgersOfRace.flatMap(({ account, bank }) => [account, bank]);
    const bookings = Array.from({ length: 200 }, (_, index) => {
      const from = accounts[index % accounts.length];
      const to = accounts[(index + 1 + (index % (accounts.length - 1))) % accounts.length];
      if (from === undefined || to === undefined) throw new TypeError("there are accounts");
      return move(from, to, BigInt(100 + index));
    });
    const codes: unknown[] = [];
    for (let start = 0; start < bookings.length; start += 50) {
      const batch = bookings.slice(start, start + 50);
      const ended = batch.map((each, index) => codeOf(post(each, pools[index % 2 === 0 ? 0 : 1])));
      codes.push(...(await Promise.all(ended)));
    }
    expect(codes.every((code) => code === "done" || code === "funds_insufficient")).to.equal(true);
    expect(codes.filter((code) => code === "done").length).to.be.greaterThan(50);
    const broken = `SELECT account_id FROM sandbox_ledger JOIN sandbox_entry USING (account_id)
      WHERE account_id = ANY ($1) GROUP BY sandbox_ledger.account_id
      HAVING max(seq) <> count(*) OR last_seq <> count(*) OR balance <> sum(amount)
        OR (array_agg(balance_after ORDER BY seq DESC))[1] <> balance OR last_booked_at <> max(booked_at)`;
    expect(await rows(broken, [accounts])).to.deep.equal([]);
    const misplaced = `SELECT FROM (SELECT booked_at, balance_after, sum(amount) OVER numbered AS balance,
          lag(booked_at) OVER numbered AS before
        FROM sandbox_entry WINDOW numbered AS (PARTITION BY account_id ORDER BY seq)) AS entry
      WHERE before > booked_at OR balance <> balance_after`;
    expect(await rows(misplaced, [])).to.deep.equal([]);
    const unbalanced = `SELECT booking_id FROM sandbox_entry WHERE account_id = ANY ($1) GROUP BY booking_id
      HAVING sum(amount) <> 0 OR count(*) <> 2`;
    expect(await rows(unbalanced, [accounts])).to.deep.equal([]);
  });
});
