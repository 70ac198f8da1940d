import type { Random } from "../bank/random.ts";
import type { TransactionTemplate } from "./transaction-templates.ts";

/** Templates for an account, by what its balance allows. */
export type TemplateChoice = {
  /** Any template for such a day. */
  readonly any: PickTemplate;
  /** Only templates that bring money in (`credit`) or take it out (`debit`). */
  readonly credit: PickTemplate;
  readonly debit: PickTemplate;
};

/** Draws a template; a greater weight is drawn more often. */
export type PickTemplate = (random: Random) => TransactionTemplate;

/** The choices on business days, and on days on which banks are closed. */
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

/** Enough places for the rarest template to have some. */
const PLACES = 4_096;

/** Fills a table of places by weight, so that a draw costs one number for any number of templates. */
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
