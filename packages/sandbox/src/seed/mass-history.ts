import { parseAccountId, parseCurrencyCode } from "@cobs/cobs-model";
import type { LedgerAccount } from "@cobs/resource";
import type { Standing } from "@cobs/resource/sandbox";
import { DEMO_CURRENCIES, type DemoCurrency } from "../bank/account-plan.ts";
import { type DemoDay, daysBefore } from "../bank/demo-days.ts";
import { openRandom, type Random } from "../bank/random.ts";
import type { MassAccount } from "./mass-accounts.ts";
import { openTemplateChoices, type TemplateChoice } from "./pick-template.ts";
import { makeTemplates, type TransactionTemplate } from "./transaction-templates.ts";

/** The entries of many accounts, generated one by one, and the ledger after them. */
export type MassHistory = {
  readonly lines: Iterable<string>;
  readonly ledger: () => readonly (LedgerAccount & Standing)[];
};

/** An account while its entries are generated; amounts are minor units, far below the limits of a number. */
type Running = {
  readonly own: MassAccount;
  balance: number;
  lastSeq: number;
  lastBookedAt: number;
};

/** Balance above which money only goes out, in minor units. */
const CEILING: Readonly<Record<DemoCurrency, number>> = { CZK: 40_000_000, EUR: 2_000_000, USD: 2_000_000 };

// Times from 5:00 to 20:59 UTC fall on the same date in Prague, in summer and in winter.
const OPENING_MS = 5 * 3_600_000;
const OPEN_MS = 15 * 3_600_000;

/**
 * Generates two years of entries up to the last midnight before `asOf`, for all accounts in the order of time. One collective
 * entry on an account of the bank is the other side of all entries of an account, so that every currency adds up to zero.
 */
export function makeMassHistory(accounts: readonly MassAccount[], seed: string, asOf: Date): MassHistory {
  const running = accounts.map((own): Running => ({ own, balance: 0, lastSeq: 0, lastBookedAt: 0 }));
  const days = daysBefore(asOf);
  const collective = DEMO_CURRENCIES.map((currency) => collectiveAccount(seed, currency));
  return {
    lines: (function* () {
      yield* entriesOf(running, days, seed);
      for (const bank of collective) yield* collectiveEntriesOf(bank, running, days.at(-1));
    })(),
    ledger: () => [...running.map(standingOf), ...collective],
  };
}

function* entriesOf(running: readonly Running[], days: readonly DemoDay[], seed: string): Generator<string> {
  const random = openRandom(`${seed}/entries`);
  const choices = new Map(
    DEMO_CURRENCIES.map((currency) => [currency, openTemplateChoices(makeTemplates(seed, currency))]),
  );
  let made = 0;
  for (const [index, day] of days.entries()) {
    const turns = turnsOf(running, index, days.length);
    shuffle(turns, random);
    const date = day.date;
    for (const [place, account] of turns.entries()) {
      const choice = choices.get(account.own.demoCurrency)?.[day.isClosed ? "closedDay" : "businessDay"];
      if (choice === undefined) continue;
      made += 1;
      const at = day.start + OPENING_MS + Math.floor((place / turns.length) * OPEN_MS);
      yield entryOf(account, { choice, random, at, date, number: made });
    }
  }
}

/** The accounts that have an entry on a day, once per entry: each account's entries are spread evenly over all days. */
function turnsOf(running: readonly Running[], day: number, days: number): Running[] {
  const turns: Running[] = [];
  for (const account of running) {
    const { transactions } = account.own;
    const until = Math.floor(((day + 1) * transactions) / days);
    for (let nth = Math.floor((day * transactions) / days); nth < until; nth += 1) turns.push(account);
  }
  return turns;
}

/** Shuffles (Fisher-Yates), so that the entries of all accounts are interleaved, as in a bank. */
function shuffle(turns: Running[], random: Random): void {
  for (let last = turns.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [one, two] = [turns[last], turns[other]];
    if (one === undefined || two === undefined) continue;
    turns[last] = two;
    turns[other] = one;
  }
}

type Turn = {
  readonly choice: TemplateChoice;
  readonly random: Random;
  readonly at: number;
  readonly date: string;
  readonly number: number;
};

function entryOf(account: Running, { choice, random, at, date, number }: Turn): string {
  const { own } = account;
  let template = pickFor(account, choice, random);
  let amount = amountOf(template, random);
  if (!template.isCredit && amount > account.balance) {
    template = choice.credit(random);
    amount = amountOf(template, random);
  }
  const change = template.isCredit ? amount : -amount;
  account.balance += change;
  account.lastSeq += 1;
  account.lastBookedAt = at;
  const digits = String(number).padStart(12, "0");
  let details = "";
  for (const piece of template.pieces) details += typeof piece === "string" ? piece : piece(own, digits);
  const time = new Date(at).toISOString();
  const { code, isReversal } = template;
  return `${own.id}\t${account.lastSeq}\tS-${digits}\t${time}\t${date}\t${change}\t${own.currency}\t${code}\t${details}\t${account.balance}\t${isReversal}\n`;
}

function pickFor({ own, balance }: Running, choice: TemplateChoice, random: Random): TransactionTemplate {
  return balance > CEILING[own.demoCurrency] ? choice.debit(random) : choice.any(random);
}

function amountOf({ amount: [low, high], step }: TransactionTemplate, random: Random): number {
  const from = Math.ceil(low / step);
  return (from + Math.floor(random() * (Math.floor(high / step) - from + 1))) * step;
}

type Collective = LedgerAccount & { balance: bigint; lastSeq: number; lastBookedAt: Date | null };

function collectiveAccount(seed: string, currency: DemoCurrency): Collective {
  const id = parseAccountId(`bank-seed-${seed}-${currency}`);
  const standing = { balance: 0n, lastSeq: 0, lastBookedAt: null };
  return { id, currency: parseCurrencyCode(currency), overdraftLimit: null, ...standing };
}

function* collectiveEntriesOf(
  bank: Collective,
  running: readonly Running[],
  day: DemoDay | undefined,
): Generator<string> {
  if (day === undefined) return;
  const at = new Date(day.start + OPENING_MS + OPEN_MS);
  for (const { own, balance } of running) {
    if (own.currency !== bank.currency || balance === 0) continue;
    bank.balance -= BigInt(balance);
    bank.lastSeq += 1;
    bank.lastBookedAt = at;
    yield `${bank.id}\t${bank.lastSeq}\tS-${own.id}\t${at.toISOString()}\t${day.date}\t${-balance}\t${bank.currency}\t${COLLECTIVE_CODE}\t\\N\t${bank.balance}\tfalse\n`;
  }
}

const COLLECTIVE_CODE = "90000701000";

function standingOf({ own, balance, lastSeq, lastBookedAt }: Running): LedgerAccount & Standing {
  const { id, currency } = own;
  const at = lastSeq === 0 ? null : new Date(lastBookedAt);
  return { id, currency, overdraftLimit: 0n, balance: BigInt(balance), lastSeq, lastBookedAt: at };
}
