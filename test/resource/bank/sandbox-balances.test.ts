import { type Balance, type CurrencyCode, presentDecimal } from "@cobs/cobs-model";
import { seedSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { BalanceType } from "../../../packages/cobs-model/src/balance.ts";
import type { Bank } from "../../../packages/resource/src/bank/bank.ts";
import { BankRefusal } from "../../../packages/resource/src/bank/bank-refusal.ts";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../../support/movable-database-clock.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { openMigratedDatabase } from "./migrated-database.ts";
import { ANNA, BORIS, CZK, EUR, idsOf, ledgerOf, USD } from "./test-ledgers.ts";

const { account, inEuro, bank: bankOwn, bankInEuro } = idsOf("x");

function deposit(at: string, amount: bigint, currency: CurrencyCode = CZK) {
  const [debited, credited] = currency === CZK ? [bankOwn, account] : [bankInEuro, inEuro];
  return {
    id: `${at} ${amount} ${currency}`,
    bookedAt: new Date(at),
    valueDate: at.slice(0, 10),
    amount,
    currency,
    debit: { account: debited, code: "10000107000" },
    credit: { account: credited, code: "10000107000" },
    details: null,
  };
}

function pending(id: string, amount: bigint) {
  return {
    account,
    id,
    blockedAt: new Date("2026-03-29T09:00:00Z"),
    valueDate: "2026-03-30",
    amount,
    currency: CZK,
    code: "30000201000",
    details: null,
  };
}

const CONTENT = ledgerOf(
  "x",
  {
    bookings: [
      // The last minute of the 28th in Prague, and the first of the 29th.
      deposit("2026-03-28T22:59:59.999Z", 100_000n),
      deposit("2026-03-28T23:00:00Z", 20_000n),
      // At one instant, as a payment and its charge are.
      deposit("2026-03-29T10:00:00Z", 1_000n),
      deposit("2026-03-29T10:00:00Z", 2_000n),
      deposit("2026-03-01T10:00:00Z", 777n, EUR),
    ],
    pending: [pending("p1", -130_000n), pending("p2", -5_000n), pending("p3", 1_000_000n)],
  },
  10_000n,
);

/** Another account, of both: what it holds is told of it alone. */
const { account: ofBoth } = idsOf("y");
const BESIDE = ledgerOf("y", { access: [ANNA, BORIS].map((psu) => ({ psu, account: ofBoth })) });

describe("balances of the sandbox bank (COBS 3.1.4)", () => {
  let clock: DatabaseWithMovableClock;
  let database: Database;
  let bank: Bank;

  before(async () => {
    clock = await createDatabaseWithMovableClock();
    database = await openMigratedDatabase(clock.url);
    bank = openSandboxBank(database);
    await seedSandboxBank(database, CONTENT);
    await seedSandboxBank(database, BESIDE);
  });
  beforeEach(() => clock.setTo(new Date("2026-03-29T12:00:00Z")));
  after(() => database.close());

  const balancesOf = (currency?: CurrencyCode, psu = ANNA) => bank.balancesOf({ psu, account, currency });
  const find = async (type: BalanceType, currency = CZK): Promise<Balance> => {
    const found = (await balancesOf(currency)).find((each) => each.type === type);
    if (found === undefined) throw new Error(`there is no ${type}`);
    return found;
  };
  const codeOf = async (promise: Promise<unknown>) => {
    const refusal = await rejectionOf(promise);
    return refusal instanceof BankRefusal ? refusal.code : refusal;
  };

  it("are three in each currency, the main currency first", async () => {
    const told = (await balancesOf()).map(({ type, amount }) => `${type} ${amount.currency}`);
    expect(told).to.deep.equal(["CLAV CZK", "ITBD CZK", "PRCD CZK", "CLAV EUR", "ITBD EUR", "PRCD EUR"]);
  });

  it("are those of a single currency when it is named (COBS 3.1.4)", async () => {
    const told = (await balancesOf(EUR)).map(({ amount }) => presentDecimal(amount));
    expect(told).to.deep.equal(["7.77", "7.77", "7.77"]);
  });

  it("show as available the booked amount plus the overdraft, less what is blocked", async () => {
    const { amount, creditLine } = await find("CLAV");
    expect(amount).to.deep.equal({ minor: 123_000n + 10_000n - 135_000n, currency: CZK });
    expect(creditLine).to.deep.equal({ included: true, amount: { minor: 10_000n, currency: CZK } });
  });

  it("show no credit line where no overdraft was agreed", async () => {
    expect((await find("CLAV", EUR)).creditLine).to.equal(null);
  });

  it("show what is booked at this moment", async () => {
    const { amount, creditLine } = await find("ITBD");
    expect(amount.minor).to.equal(123_000n);
    expect(creditLine).to.equal(null);
  });

  it("show what was booked at the end of the last day in Prague", async () => {
    expect((await find("PRCD")).amount.minor).to.equal(100_000n);
    await clock.setTo(new Date("2026-03-29T21:59:50Z"));
    expect((await find("PRCD")).amount.minor).to.equal(100_000n);
    await clock.setTo(new Date("2026-03-29T22:00:00Z"));
    expect((await find("PRCD")).amount.minor).to.equal(123_000n);
  });

  it("show zero for an end of day before the first booking", async () => {
    await clock.setTo(new Date("2026-02-01T12:00:00Z"));
    expect((await find("PRCD")).amount.minor).to.equal(0n);
  });

  it("give a moment with the offset of Prague, and a closing by its date (COBS 3.1.5, A-42)", async () => {
    expect((await find("ITBD")).at).to.match(/^2026-03-29T14:00:\d\d\.\d{3}\+02:00$/);
    expect((await find("PRCD")).at).to.equal("2026-03-28");
    await clock.setTo(new Date("2026-01-31T23:30:00Z"));
    expect((await find("CLAV")).at).to.match(/^2026-02-01T00:30:\d\d\.\d{3}\+01:00$/);
    expect((await find("PRCD")).at).to.equal("2026-01-31");
  });

  it("are refused in a currency in which the account is not kept (COBS AC09, A-43)", async () => {
    expect(await codeOf(balancesOf(USD))).to.equal("currency_unknown");
  });

  it("are refused to a PSU without access, whatever the currency", async () => {
    expect(await codeOf(balancesOf(undefined, BORIS))).to.equal("account_unknown");
    expect(await codeOf(balancesOf(USD, BORIS))).to.equal("account_unknown");
  });

  it("are those of the requested account alone, also when several PSUs share it", async () => {
    for (const psu of [ANNA, BORIS]) {
      const told = await bank.balancesOf({ psu, account: ofBoth, currency: undefined });
      expect(told.map(({ amount }) => amount.minor)).to.deep.equal([0n, 0n, 0n, 0n, 0n, 0n]);
      expect(await bank.currenciesOf({ psu, account: ofBoth })).to.deep.equal([CZK, EUR]);
    }
  });

  it("are refused for a ledger that is no account", async () => {
    expect(await codeOf(bank.balancesOf({ psu: ANNA, account: inEuro, currency: EUR }))).to.equal(
      "account_unknown",
    );
  });

  it("are right for each of 50 callers at the same moment", async () => {
    const asked = Array.from({ length: 50 }, (_, index) => [undefined, CZK, EUR, USD][index % 4]);
    const told = await Promise.all(
      asked.map(async (currency, index) => {
        const psu = index % 5 === 0 ? BORIS : ANNA;
        const answer = await balancesOf(currency, psu).catch((error: unknown) => error);
        if (answer instanceof BankRefusal) return answer.code;
        return Array.isArray(answer) ? answer.map(({ amount }) => amount.currency).join(" ") : answer;
      }),
    );
    const inAll = "CZK CZK CZK EUR EUR EUR";
    const own = [inAll, "CZK CZK CZK", "EUR EUR EUR", "currency_unknown"];
    expect(told).to.deep.equal(
      asked.map((_, index) => (index % 5 === 0 ? "account_unknown" : own[index % 4])),
    );
  });

  it("are in the currencies in which the account is kept", async () => {
    expect(await bank.currenciesOf({ psu: ANNA, account })).to.deep.equal([CZK, EUR]);
    expect(await codeOf(bank.currenciesOf({ psu: BORIS, account }))).to.equal("account_unknown");
  });
});
