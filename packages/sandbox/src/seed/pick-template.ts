import type { Random } from "../bank/random.ts";
import type { TransactionTemplate } from "./transaction-templates.ts";

/** What can happen on an account, by the day and by what its balance allows. */
export type TemplateChoice = {
  /** Any kind that happens on such a day. */
  readonly any: PickTemplate;
  /** Only what brings money in, or takes it out. */
  readonly credit: PickTemplate;
  readonly debit: PickTemplate;
};

/** Draws a template, the oftener the greater its weight. */
export type PickTemplate = (random: Random) => TransactionTemplate;

/** The choices on business days, and on those on which banks are closed. */
export function openTemplateChoices(templates: readonly TransactionTemplate[]): {
  readonly businessDay: TemplateChoice;
  readonly closedDay: TemplateChoice;
} {
  const always = templates.filter(({ everyDay }) => everyDay);
  return {
    businessDay: choiceOf(templates),
    closedDay: choiceOf(always.length > 0 ? always : templates),
  };
}

function choiceOf(templates: readonly TransactionTemplate[]): TemplateChoice {
  const credits = templates.filter(({ isCredit }) => isCredit);
  const debits = templates.filter(({ isCredit }) => !isCredit);
  return { any: pickerOf(templates), credit: pickerOf(credits), debit: pickerOf(debits) };
}

/** So many places that the rarest template has some of them. */
const PLACES = 4_096;

/** A table of places, so that a draw costs one number however many templates there are. */
function pickerOf(templates: readonly TransactionTemplate[]): PickTemplate {
  const total = templates.reduce((sum, { weight }) => sum + weight, 0);
  const places = templates.flatMap((template) =>
    Array<TransactionTemplate>(Math.max(1, Math.round((template.weight / total) * PLACES))).fill(template),
  );
  return (random) => {
    const drawn = places[Math.floor(random() * places.length)];
    if (drawn === undefined) throw new TypeError("there is no kind of transaction to draw from");
    return drawn;
  };
}
