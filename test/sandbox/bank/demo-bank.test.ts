import { readFileSync } from "node:fs";
import { findCzechIbanParts, isBusinessDay, parseIban, presentDecimal } from "@cobs/cobs-model";
import type { Booking } from "@cobs/resource";
import { expect } from "chai";
import { DEMO_SEED, makeDemoBank } from "../../../packages/sandbox/src/bank/demo-bank.ts";
import { TRANSACTION_CODES } from "../../support/transaction-codes.ts";

const AS_OF = new Date("2026-03-04T09:30:00Z");
const demo = makeDemoBank({ seed: "test", asOf: AS_OF });
const { accounts, access, bookings, ledger, ledgers = [], pending = [] } = demo.content;

const psu = (username: string) => demo.psus.find((each) => each.username === username);
const currenciesOf = (username: string) =>
  new Set(accounts.filter(({ id }) => psu(username)?.accounts.includes(id)).map(({ currency }) => currency));
const owned = new Set([...accounts, ...ledgers].map(({ id }) => id));

describe("People of the demo bank", () => {
  it("are four or more, with names of their own and opaque ids", () => {
    expect(demo.psus.length).to.be.at.least(4);
    expect(new Set(demo.psus.map(({ id }) => id)).size).to.equal(demo.psus.length);
    expect(new Set(demo.psus.map(({ username }) => username)).size).to.equal(demo.psus.length);
    for (const { id, username } of demo.psus) expect(id).not.to.include(username);
  });

  it("have the ids that the examples of the README use", () => {
    const readme = readFileSync(new URL("../../../packages/sandbox/README.md", import.meta.url), "utf8");
    const named = readme
      .match(/^npm run auth .*$/gm)
      ?.map((line) => /(?:--psu|psu \w+|--subject) (\S+)/.exec(line)?.[1]);
    const { psus } = makeDemoBank({ seed: DEMO_SEED, asOf: AS_OF });
    expect(new Set(named)).to.deep.equal(new Set([psus.find(({ username }) => username === "jana")?.id]));
  });

  it("include one with a single account, one with CZK and EUR, and a business with more than thirty accounts", () => {
    expect(psu("jana")?.accounts).to.have.lengthOf(1);
    expect([...currenciesOf("petr")].sort()).to.deep.equal(["CZK", "EUR"]);
    expect(psu("marie")?.accounts).to.have.lengthOf(2);
    expect(psu("firma")?.segment).to.equal("business");
    expect(psu("firma")?.accounts.length).to.be.above(30);
    expect([...currenciesOf("firma")].sort()).to.deep.equal(["CZK", "EUR", "USD"]);
  });

  it("have access only to their own accounts", () => {
    const told = demo.psus.flatMap(({ id, accounts: own }) => own.map((account) => ({ psu: id, account })));
    expect(access).to.deep.equal(told);
    expect(new Set(access.map(({ account }) => account)).size).to.equal(accounts.length);
  });
});

describe("Accounts of the demo bank", () => {
  it("have numbers and IBANs that pass their checksums and belong together", () => {
    for (const { iban, number } of accounts) {
      expect(findCzechIbanParts(parseIban(iban))).to.deep.equal({ bankCode: "9900", number });
    }
    expect(new Set(accounts.map(({ iban }) => iban)).size).to.equal(accounts.length);
    expect(new Set(ledger.map(({ id }) => id)).size).to.equal(ledger.length);
  });

  it("have names and products in both languages", () => {
    for (const { names, products } of accounts) {
      for (const text of [names?.cs, names?.en, products?.cs, products?.en]) expect(text).to.match(/\S/);
    }
  });
});

describe("History of the demo bank", () => {
  it("covers two years up to last midnight, and has nothing in the future", () => {
    expect(bookings.length).to.be.within(10_000, 25_000);
    expect(bookings[0]?.bookedAt.toISOString()).to.equal("2024-03-04T05:00:00.000Z");
    expect(bookings.at(-1)?.valueDate).to.equal("2026-03-03");
  });

  it("is in order of time, each booking under its own id", () => {
    const times = bookings.map(({ bookedAt }) => bookedAt.getTime());
    expect(times).to.deep.equal(times.toSorted((one, other) => one - other));
    expect(new Set(bookings.map(({ id }) => id)).size).to.equal(bookings.length);
  });

  it("moves positive amounts between two accounts of one currency, and leaves nobody below their limit", () => {
    const known = new Map(ledger.map((account) => [account.id, { ...account, balance: 0n }]));
    for (const { amount, currency, debit, credit } of bookings) {
      const [from, to] = [known.get(debit.account), known.get(credit.account)];
      if (from === undefined || to === undefined || from === to) return expect.fail("a leg has no account");
      from.balance -= amount;
      to.balance += amount;
      expect([from.currency, to.currency]).to.deep.equal([currency, currency]);
      expect(amount > 0n && (from.overdraftLimit === null || from.balance >= -from.overdraftLimit)).to.equal(
        true,
      );
    }
  });

  it("leaves enough for some payments on every account, on any day of the year", () => {
    const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 6 + 2 * month, 9)));
    for (const asOf of days) {
      const { content } = makeDemoBank({ seed: DEMO_SEED, asOf });
      const left = new Map<string, bigint>();
      const add = (account: string, amount: bigint) => left.set(account, (left.get(account) ?? 0n) + amount);
      for (const { debit, credit, amount } of content.bookings) {
        add(debit.account, -amount);
        add(credit.account, amount);
      }
      for (const { id, currency, overdraftLimit } of content.ledger) {
        if (overdraftLimit === null) continue;
        const blocked = (content.pending ?? []).filter((each) => each.account === id);
        const sum = blocked.reduce((total, { amount }) => total + amount, 0n);
        const available = (left.get(id) ?? 0n) + overdraftLimit + sum;
        expect(
          available >= (currency === "CZK" ? 2_000_000n : 80_000n),
          `${id} ${asOf.toISOString()}`,
        ).to.equal(true);
      }
    }
  });

  it("overdraws only the account with an overdraft", () => {
    const limited = ledger.filter(({ overdraftLimit }) => overdraftLimit !== null && overdraftLimit > 0n);
    expect(limited.map(({ id }) => psu("petr")?.accounts.includes(id))).to.deep.equal([true]);
  });

  // On the first day of one of them banks are closed, which is a Saturday.
  for (const asOf of [AS_OF, new Date("2026-11-30T09:30:00Z"), new Date("2028-01-05T09:30:00Z")])
    it(`pauses at weekends and on holidays, except for cards, ATMs and instant payments, before ${asOf.toISOString()}`, () => {
      const { content } = makeDemoBank({ seed: "test", asOf });
      const closed = content.bookings.filter(({ valueDate }) => !isBusinessDay("czech", valueDate));
      expect(closed.length).to.be.above(1_000);
      for (const { debit, details, valueDate } of closed) {
        const isInstant = details?.references?.clearingSystemReference === "INST";
        expect(isInstant || debit.code.startsWith("3"), `${valueDate} ${debit.code}`).to.equal(true);
      }
      for (const { valueDate } of content.pending ?? [])
        expect(isBusinessDay("czech", valueDate), valueDate).to.equal(true);
    });

  it("has an entry on every account each month, including salaries and rents", () => {
    const months = new Set(bookings.map(({ valueDate }) => valueDate.slice(0, 7)));
    expect(months.size).to.equal(25);
    const wages = bookings.filter(
      ({ details }) =>
        details?.remittanceInformation?.unstructured === "Mzda" &&
        details.relatedParties?.creditor?.name === "Jana Horáková",
    );
    expect(wages.length).to.be.within(23, 25);
    for (const { id } of accounts) {
      const own = bookings.filter(({ debit, credit }) => debit.account === id || credit.account === id);
      expect(new Set(own.map(({ valueDate }) => valueDate.slice(0, 7))).size).to.be.at.least(24);
    }
  });

  it("has every kind of transaction that the standard names (COBS PDF 4.3)", () => {
    // In the two years before some days, the money for a rare kind may run short.
    const later = ["2028-01-08T09:30:00Z", "2028-04-12T09:30:00Z"].map((asOf) => new Date(asOf));
    const banks = later.map((asOf) => makeDemoBank({ seed: DEMO_SEED, asOf }));
    for (const { content } of [demo, ...banks]) {
      const codes = new Set(content.bookings.flatMap(({ debit, credit }) => [debit.code, credit.code]));
      expect([...codes]).to.have.members(Object.keys(TRANSACTION_CODES));
    }
  });

  it("cancels some bookings on the same day, reversed and marked as such (COBS 3.1.5.1)", () => {
    const reversals = bookings.filter(({ isReversal }) => isReversal);
    expect(reversals.length).to.be.above(5);
    for (const { amount, debit, credit, valueDate } of reversals) {
      const cancelled = bookings.filter(
        (each) =>
          each.isReversal !== true &&
          each.amount === amount &&
          each.valueDate === valueDate &&
          each.debit.account === credit.account &&
          each.credit.account === debit.account,
      );
      expect(cancelled).to.have.lengthOf(1);
    }
  });

  it("returns direct debits under their original mandate (COBS 3.1.5.1.4)", () => {
    const mandateOf = ({ details }: Booking) => details?.references?.mandateIdentification;
    const mandates = new Set(bookings.filter(({ debit }) => debit.code.startsWith("100005")).map(mandateOf));
    expect(mandates.has(undefined)).to.equal(false);
    const returned = bookings.filter(({ debit }) => debit.code.startsWith("5"));
    expect(returned.length).to.be.above(20);
    for (const booking of returned) expect(mandates.has(mandateOf(booking))).to.equal(true);
  });

  it("shows a counter value in the currency converted from, equal to the amount booked (COBS 3.1.5.1)", () => {
    let converted = 0;
    for (const booking of bookings) {
      for (const leg of [booking.debit, booking.credit].filter(({ account }) => owned.has(account))) {
        const { instructedAmount, counterValueAmount } =
          (leg.details ?? booking.details)?.amountDetails ?? {};
        if (counterValueAmount === undefined) continue;
        const { currency, amount } = booking;
        const value = presentDecimal({ minor: amount, currency });
        expect(counterValueAmount.amount, leg.code).to.deep.equal({ value, currency });
        const { sourceCurrency, targetCurrency } = counterValueAmount.currencyExchange ?? {};
        expect(sourceCurrency, leg.code).to.equal(currency);
        expect(targetCurrency, leg.code).to.equal(instructedAmount?.amount.currency).and.not.equal(currency);
        converted += 1;
      }
    }
    expect(converted).to.be.above(100);
  });

  it("shows for money exchanged into an account the amount ordered, which is what came in (COBS 3.1.5.1)", () => {
    const cameIn = bookings.filter(
      ({ credit }) => credit.code === "90000501000" && owned.has(credit.account),
    );
    expect(cameIn.length).to.be.above(20);
    for (const { amount, currency, details } of cameIn)
      expect(details?.amountDetails).to.deep.equal({
        instructedAmount: { amount: { value: presentDecimal({ minor: amount, currency }), currency } },
      });
  });

  it("exchanges at the rate that it shows (COBS 3.1.5.1)", () => {
    const amounts = bookings.flatMap(({ amount, details }) => {
      const { instructedAmount, counterValueAmount } = details?.amountDetails ?? {};
      const rate = counterValueAmount?.currencyExchange?.exchangeRate;
      return rate === undefined ? [] : [{ amount, instructedAmount, counterValueAmount, rate }];
    });
    expect(amounts.length).to.be.above(100);
    for (const { instructedAmount, counterValueAmount, rate } of amounts) {
      const expected = Number(instructedAmount?.amount.value) * Number(rate);
      expect(Number(counterValueAmount?.amount?.value)).to.be.closeTo(expected, 0.0051);
    }
  });

  it("keeps three currencies in one account of a person and one of the company", () => {
    const currencies = new Map(accounts.map(({ id, currency }) => [id, [currency]]));
    for (const { account, currency } of ledgers) currencies.get(account)?.push(currency);
    const several = [...currencies].filter(([, each]) => each.length > 1);
    expect(several.map(([, each]) => each)).to.deep.equal([
      ["CZK", "EUR", "USD"],
      ["CZK", "EUR", "USD"],
    ]);
    for (const [index, username] of ["jana", "firma"].entries())
      expect(psu(username)?.accounts).to.include(several[index]?.[0]);
    for (const { id } of ledgers) expect(bookings.some(({ debit }) => debit.account === id)).to.equal(true);
  });

  it("has blocked and announced amounts that everybody can cover, expected after today", () => {
    expect(pending.length).to.be.above(8);
    const available = new Map<string, bigint>(
      ledger.map(({ id, overdraftLimit }) => [id, overdraftLimit ?? 0n]),
    );
    const add = (account: string, amount: bigint) =>
      available.set(account, (available.get(account) ?? 0n) + amount);
    for (const { debit, credit, amount } of bookings) {
      add(debit.account, -amount);
      add(credit.account, amount);
    }
    for (const { account, amount, blockedAt, valueDate } of pending) {
      add(account, amount);
      expect(available.get(account)).to.satisfy((left: bigint) => left >= 0n);
      expect(blockedAt < AS_OF && valueDate > "2026-03-04").to.equal(true);
    }
    expect(new Set(pending.map(({ code }) => code[0]))).to.deep.equal(new Set(["1", "3"]));
  });

  it("names only parties whose IBANs pass their checksums", () => {
    const accountsOf = ({ details }: Booking) => [
      details?.relatedParties?.debtorAccount,
      details?.relatedParties?.creditorAccount,
    ];
    const ibans = new Set(
      bookings
        .flatMap(accountsOf)
        .flatMap((account) =>
          account !== undefined && "iban" in account.identification ? [account.identification.iban] : [],
        ),
    );
    expect(ibans.size).to.be.above(30);
    for (const iban of ibans) expect(parseIban(iban)).to.equal(iban);
  });

  it("shows a PSU's transfer between their own accounts on both of them", () => {
    const own = new Set(psu("marie")?.accounts);
    const transfers = bookings.filter(
      ({ debit, credit }) => own.has(debit.account) && own.has(credit.account),
    );
    expect(transfers.length).to.be.above(10);
    for (const { debit, credit } of transfers) {
      expect([debit.code, credit.code]).to.deep.equal(["10000101000", "10000107000"]);
    }
  });

  it("tells the payee of such a transfer that money came in", () => {
    const incoming = bookings.filter(({ debit, credit }) => debit.code !== credit.code && credit.details);
    expect(incoming).to.not.be.empty;
    for (const { credit } of incoming)
      expect(credit.details?.additionalTransactionInformation).to.deep.equal({
        cs: "Příchozí platba",
        en: "Incoming payment",
      });
  });
});

describe("Demo bank as a whole", () => {
  it("is the same for the same seed and day", () => {
    const again = makeDemoBank({ seed: "test", asOf: new Date("2026-03-04T23:59:59Z") });
    expect(again.psus).to.deep.equal(demo.psus);
    expect(again.content.accounts).to.deep.equal(accounts);
    expect(again.content.bookings.slice(-50)).to.deep.equal(bookings.slice(-50));
    expect(again.content.bookings.length).to.equal(bookings.length);
  });

  it("keeps its people and accounts on another day", () => {
    const later = makeDemoBank({ seed: "test", asOf: new Date("2028-02-29T00:00:00Z") });
    expect(later.psus).to.deep.equal(demo.psus);
    expect(later.content.accounts).to.deep.equal(accounts);
    expect(later.content.name).to.equal(demo.content.name);
    expect(later.content.bookings.at(-1)?.valueDate).to.equal("2028-02-28");
  });

  it("has other ids and numbers for another seed", () => {
    const other = makeDemoBank({ seed: "other", asOf: AS_OF });
    const ids = new Set<string>(
      ledger.filter(({ overdraftLimit }) => overdraftLimit !== null).map(({ id }) => id),
    );
    expect(other.content.accounts.some(({ id }) => ids.has(id))).to.equal(false);
    expect(other.content.name).not.to.equal(demo.content.name);
  });
});
