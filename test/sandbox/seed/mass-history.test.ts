import {
  bankDayOf,
  familyOf,
  isBusinessDay,
  parseTransactionCode,
  type TransactionDetails,
} from "@cobs/cobs-model";
import { expect } from "chai";
import { DEMO_CURRENCIES } from "../../../packages/sandbox/src/bank/account-plan.ts";
import { BOOKING_KINDS } from "../../../packages/sandbox/src/bank/booking-kinds.ts";
import { type MassAccount, openMassAccounts } from "../../../packages/sandbox/src/seed/mass-accounts.ts";
import { makeMassHistory } from "../../../packages/sandbox/src/seed/mass-history.ts";
import { openTemplateChoices } from "../../../packages/sandbox/src/seed/pick-template.ts";
import { makeTemplates } from "../../../packages/sandbox/src/seed/transaction-templates.ts";

const SEED = "first";
const AS_OF = new Date("2026-06-10T12:00:00Z");
const CEILINGS: Readonly<Record<string, number>> = { CZK: 40_000_000, EUR: 2_000_000, USD: 2_000_000 };

const accounts = openMassAccounts({
  seed: SEED,
  transactions: 8_000,
  accounts: 25,
  largest: 2_500,
  psu: "petr",
});
const owners = new Map<string, MassAccount>(accounts.map((account) => [account.id, account]));

/** An entry as its line of COPY tells it; of the bank's own there are no details. */
function readEntry(line: string) {
  const [
    account = "",
    ,
    ,
    time = "",
    date = "",
    amount,
    currency = "",
    code = "",
    details = "",
    balance,
    reversal,
  ] = line.trimEnd().split("\t");
  const told: TransactionDetails = JSON.parse(details === "\\N" ? "{}" : details.replaceAll("\\\\", "\\"));
  const [change, after] = [Number(amount), Number(balance)];
  const isReversal = reversal === "true";
  return { owner: owners.get(account), time, date, change, currency, code, details, told, after, isReversal };
}

describe("Accounts that npm run seed makes", () => {
  it("have each an IBAN of their own, however many there are", () => {
    const many = openMassAccounts({
      seed: "1",
      transactions: 10_000,
      accounts: 10_000,
      largest: 1,
      psu: "petr",
    });
    expect(new Set(many.map(({ account }) => account.iban))).to.have.property("size", many.length);
  });
});

describe("History that npm run seed makes", () => {
  const all = [...makeMassHistory(accounts, SEED, AS_OF).lines].map(readEntry);
  const entries = all.flatMap(({ owner, ...entry }) => (owner === undefined ? [] : [{ ...entry, owner }]));
  const templates = DEMO_CURRENCIES.flatMap((currency) =>
    makeTemplates(SEED, currency).map((template) => ({ ...template, currency })),
  );

  it("ends on the day before, and dates each entry by the time in Prague", () => {
    expect(
      all
        .map(({ date }) => date)
        .toSorted()
        .at(-1),
    ).to.equal("2026-06-09");
    expect(all.filter(({ time, date }) => bankDayOf(new Date(time)) !== date)).to.deep.equal([]);
  });

  it("has at weekends and on holidays only what happens every day", () => {
    const everyDay = Object.values(BOOKING_KINDS).flatMap((kind) => (kind.everyDay ? [kind.code] : []));
    const closed = entries.filter(({ date }) => !isBusinessDay("czech", date));
    expect(everyDay).to.include.members([...new Set(closed.map(({ code }) => code))]);
    expect(closed.length).to.be.above(1_000);
  });

  it("credits no account above its ceiling", () => {
    const above = entries.filter(({ change, after, currency }) => {
      const before = after - change;
      return change > 0 && before > (CEILINGS[currency] ?? 0);
    });
    expect(above).to.deep.equal([]);
  });

  it("shares the transactions beyond the largest account's very unevenly", () => {
    const [largest, ...others] = accounts.map(({ transactions }) => transactions);
    expect(largest).to.equal(2_500);
    expect(Math.max(...others)).to.be.above(10 * Math.min(...others));
  });

  it("draws a template more often the greater its weight, and weights of a currency differ widely", () => {
    const [template] = templates;
    if (template === undefined) throw new TypeError("there are templates");
    const [seldom, often] = [
      { ...template, weight: 1 },
      { ...template, weight: 3 },
    ];
    let drawn = 0;
    const random = () => (drawn++ % 1_000) / 1_000;
    const { any } = openTemplateChoices([seldom, often]).businessDay;
    const counts = Array.from({ length: 1_000 }, () => any(random)).filter((each) => each === often).length;
    expect(counts).to.be.within(740, 760);
    const weights = templates.filter(({ currency }) => currency === "CZK").map(({ weight }) => weight);
    expect(Math.max(...weights)).to.be.above(20 * Math.min(...weights));
  });

  it("mixes the entries of all accounts", () => {
    const ofDay = entries.filter(({ date }) => date === "2026-06-09").map(({ owner }) => owner.id);
    const changes = ofDay.filter((id, place) => id !== ofDay[place - 1]).length;
    expect(changes).to.be.above(new Set(ofDay).size);
  });

  it("uses amounts in the steps of their kind", () => {
    const stepsOf = (code: string, currency: string) =>
      templates.flatMap((each) => (each.code === code && each.currency === currency ? [each.step] : []));
    const wrong = entries.filter(
      ({ code, currency, change }) => change % Math.min(...stepsOf(code, currency)) !== 0,
    );
    expect(wrong).to.deep.equal([]);
    const { code } = BOOKING_KINDS.atm;
    expect(stepsOf(code, "CZK").every((step) => step >= 10_000)).to.equal(true);
  });

  it("shows as the counter value of an exchange what the account got or gave (COBS 3.1.5.1)", () => {
    const exchanged = entries.flatMap(({ told, change }) => {
      const value = told.amountDetails?.counterValueAmount?.amount?.value;
      return value === undefined ? [] : [[value, (Math.abs(change) / 100).toFixed(2)]];
    });
    expect(exchanged.length).to.be.above(50);
    for (const [value, amount] of exchanged) expect(value).to.equal(amount);
  });

  it("names the card and the holder of each account, across borders in plain letters", () => {
    const cards = entries.filter(({ code }) => code.startsWith("3"));
    for (const { details, owner } of cards) expect(details).to.include(owner.maskedCard);
    expect(accounts.filter(({ holder }) => /[^ -~]/.test(holder))).not.to.deep.equal([]);
    for (const { plainHolder } of accounts) expect(plainHolder).to.match(/^[ -~]+$/);
    const abroad = entries.filter(
      ({ code }) =>
        familyOf(parseTransactionCode(code)) === "sepa" || familyOf(parseTransactionCode(code)) === "foreign",
    );
    for (const { details, owner } of abroad) expect(details).to.include(`"${owner.plainHolder}"`);
  });

  it("marks what the bank takes back as cancelled, like the demo bank, and nothing else", () => {
    const cancelled = entries.filter(({ details }) => details.includes('"Storno: '));
    expect(cancelled.length).to.be.above(0);
    expect(entries.filter(({ isReversal }) => isReversal)).to.deep.equal(cancelled);
    for (const { change } of cancelled) expect(change).to.be.above(0);
  });
});
