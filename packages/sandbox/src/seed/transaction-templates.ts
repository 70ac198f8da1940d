/**
 * Templates of every kind of transaction, made once by the demo bank and then used for any account. Parts of the details that
 * belong to one account or one transaction are cut out of the text, and filled in each time.
 */
import { parseCurrencyCode } from "@cobs/cobs-model";
import { copyText } from "@cobs/resource/sandbox";
import { czechIbanOf, DEMO_SERVICER } from "../bank/account-numbers.ts";
import type { DemoCurrency, Habit } from "../bank/account-plan.ts";
import { BOOKING_KINDS, type BookingKind, cancelledText } from "../bank/booking-kinds.ts";
import { makeCreditorIdentifier } from "../bank/creditor-identifier.ts";
import { czechParty, withoutDiacritics } from "../bank/demo-party.ts";
import { exchange } from "../bank/exchange-rates.ts";
import { PSU_PLANS } from "../bank/psu-plans.ts";
import { openRandom, pickOne, pickWhole, type Random } from "../bank/random.ts";
import { detailsOf, type Occasion } from "../bank/transaction-details.ts";
import type { MassAccount } from "./mass-accounts.ts";

/** A transaction that is not yet of any account. */
export type TransactionTemplate = {
  readonly code: string;
  readonly isCredit: boolean;
  readonly isReversal: boolean;
  readonly everyDay: boolean;
  /** Frequency relative to other templates. */
  readonly weight: number;
  /** Lowest and highest amount, and what it is a multiple of; in minor units. */
  readonly amount: readonly [number, number];
  readonly step: number;
  /** The pieces of the details' text, in the text format of COPY. */
  readonly pieces: readonly (string | Slot)[];
};

/** Gives the text for a cut-out part. */
type Slot = (own: MassAccount, digits: string) => string;

type Own = Occasion["own"];

const VARIANTS = 4;

// Has a letter with a diacritic, so that the holder's plain form differs.
const HOLDER = "@HÓLDER@";
const IBAN = czechIbanOf("template", DEMO_SERVICER.bankCode);
const CARD = "x".repeat(16);

const SLOTS: readonly (readonly [RegExp, Slot])[] = [
  [new RegExp(`^${HOLDER}$`), ({ holder }) => holder],
  [new RegExp(`^${withoutDiacritics(HOLDER)}$`), ({ plainHolder }) => plainHolder],
  [new RegExp(`^${IBAN}$`), ({ account }) => account.iban],
  [new RegExp(`^${CARD}$`), ({ maskedCard }) => maskedCard],
  [/^E2E\d/, (_, digits) => `E2E${digits}`],
  [/^VS:20\d/, (_, digits) => `VS:20${digits.slice(-6)}`],
];
const CUT = new RegExp(`(${HOLDER}|${withoutDiacritics(HOLDER)}|${IBAN}|${CARD}|E2E\\d{12}|VS:20\\d{6})`);

/** Makes the templates for accounts in one currency, with every kind of transaction that the demo bank has in it. */
export function makeTemplates(seed: string, currency: DemoCurrency): readonly TransactionTemplate[] {
  const random = openRandom(`${seed}/templates/${currency}`);
  const own = placeholder(currency);
  return habitsIn(currency).flatMap((habit) =>
    Array.from({ length: VARIANTS }, () => templatesOf(own, { habit, currency, random })).flat(),
  );
}

/** Habits of the demo bank's accounts, except transfers between accounts of one PSU. */
function habitsIn(currency: DemoCurrency): readonly Habit[] {
  return PSU_PLANS.flatMap(({ accounts }) => accounts)
    .flatMap((account) => [account, ...(account.further ?? [])])
    .filter((plan) => plan.currency === currency)
    .flatMap(({ habits }) => habits)
    .filter(({ ownAccount }) => ownAccount === undefined);
}

function templatesOf(own: Own, sources: Omit<Sources, "shown">): readonly TransactionTemplate[] {
  const { habit } = sources;
  const kind = BOOKING_KINDS[habit.kind];
  const made = templateOf(own, { ...sources, shown: kind });
  if (habit.undone === undefined) return [made];
  const weight = made.weight / habit.undone.everyMonths;
  const { by } = habit.undone;
  if (by.length === 0) {
    const cancelled = templateOf(own, { ...sources, shown: { ...kind, text: cancelledText(kind.text) } });
    return [made, { ...cancelled, isCredit: !made.isCredit, isReversal: true, weight }];
  }
  const undoing = by.map((each) => templateOf(own, { ...sources, shown: BOOKING_KINDS[each] }));
  return [made, ...undoing.map((each) => ({ ...each, weight: weight / by.length }))];
}

type Sources = {
  readonly habit: Habit;
  readonly currency: DemoCurrency;
  readonly random: Random;
  /** The draft's own kind, or the kind that takes it back. */
  readonly shown: BookingKind;
};

function templateOf(own: Own, { habit, currency, random, shown }: Sources): TransactionTemplate {
  const kind = BOOKING_KINDS[habit.kind];
  const to = habit.ordered ?? habit.exchangedTo;
  const [low, high] = [Math.round(habit.amount[0] * 100), Math.round(habit.amount[1] * 100)];
  const about = BigInt(pickWhole(random, low, high));
  const exchanged = to && exchange(about, { from: currency, to, at: 0 });
  const other = pickOne(random, habit.parties ?? []);
  const details = detailsOf({ own, habit, kind, other, exchanged, random });
  const text = { ...details, ...(shown !== kind && { additionalTransactionInformation: shown.text }) };
  // The amount must match the details of an exchange.
  const fixed = exchanged && Number(exchanged.amount);
  return {
    code: shown.code,
    isCredit: shown.direction === "in",
    isReversal: false,
    everyDay: shown.everyDay,
    weight: weightOf(habit) / VARIANTS,
    amount: [fixed ?? low, fixed ?? high],
    step: fixed === undefined ? (habit.step ?? 1) : 1,
    pieces: cut(copyText(JSON.stringify(text))),
  };
}

/** Times per month. */
function weightOf({ when }: Habit): number {
  return "timesPerMonth" in when ? when.timesPerMonth : 1 / (when.everyMonths ?? 1);
}

function cut(text: string): readonly (string | Slot)[] {
  return text
    .split(CUT)
    .filter((piece) => piece !== "")
    .map((piece) => SLOTS.find(([form]) => form.test(piece))?.[1] ?? piece);
}

/** An account whose texts mark the places to fill in. */
function placeholder(currency: DemoCurrency): Own {
  const creditorIdentifier = makeCreditorIdentifier("CZ", "99000");
  const party = { ...czechParty(HOLDER, IBAN, DEMO_SERVICER), creditorIdentifier };
  return { currency: parseCurrencyCode(currency), party, maskedCard: CARD };
}
