import type { BookingDetails, Party } from "@cobs/resource";
import type { Habit } from "./account-plan.ts";
import type { OpenedAccount } from "./open-accounts.ts";
import { openRandom, pickDigits, pickWhole, type Random } from "./random.ts";

/** What both sides of a booking read; cards and cash tell a place, fees and interest only a text. */
export function detailsOf(
  own: OpenedAccount,
  habit: Habit,
  { other, random }: DetailSources,
): BookingDetails {
  const { message } = habit;
  if (habit.kind === "card" || habit.kind === "atm") {
    return { place: other?.name, maskedCard: own.maskedCard, message };
  }
  if (other === undefined) return { message };
  return {
    ...partiesOf(own, habit, other),
    message,
    constantSymbol: habit.constantSymbol,
    variableSymbol: variableSymbolOf(own, habit, { other, random }),
    endToEndId: habit.kind.startsWith("sepa") ? `E2E${pickDigits(random, 12)}` : undefined,
  };
}

/** Whom a booking is with, and where its invented numbers come from. */
export type DetailSources = { readonly other: Party | undefined; readonly random: Random };

function partiesOf(own: OpenedAccount, { kind }: Habit, other: Party) {
  const isIncoming = kind === "incoming" || kind === "sepaIncoming" || kind === "foreignIncoming";
  const [debtor, creditor] = isIncoming ? [other, own.party] : [own.party, other];
  return { debtor, creditor };
}

function variableSymbolOf(
  own: OpenedAccount,
  habit: Habit,
  { other, random }: DetailSources,
): string | undefined {
  if (habit.variableSymbol === "invoice") return `20${pickWhole(random, 100_000, 999_999)}`;
  if (habit.variableSymbol === undefined) return undefined;
  return `7${pickDigits(openRandom(`contract ${own.account.id} ${other?.name}`), 9)}`;
}
