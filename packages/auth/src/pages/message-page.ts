import type { MessageView } from "./page-view.ts";
import type { PageWords } from "./page-words.ts";
import { type Fillings, fillText } from "./texts/texts.ts";

/** What a page that only says something shows besides its frame. */
export function presentMessage(view: MessageView, words: PageWords) {
  const { title, lead, advice } = words.texts.messages[view.message];
  const fillings = presentFillings(view.fillings ?? {}, words);
  const fill = (text: string) => fillText(text, fillings);
  return { ...view, title, lead: fill(lead), advice: advice.map(fill) };
}

/** A time in a message is the end of a wait. */
function presentFillings(
  fillings: NonNullable<MessageView["fillings"]>,
  { writeEnd }: Pick<PageWords, "writeEnd">,
): Fillings {
  const entries = Object.entries(fillings).map(([name, value]): [string, string | number] => [
    name,
    value instanceof Date ? writeEnd(value) : value,
  ]);
  return Object.fromEntries(entries);
}
