import { displayText, withoutQuotes } from "./display-text.ts";
import type { PasskeyListView, PasskeyRemovalView, ShownPasskey } from "./page-view.ts";
import type { PageWords } from "./page-words.ts";
import { AUTHENTICATOR_PATH } from "./places.ts";
import { fillText } from "./texts/texts.ts";

/** The passkeys of a PSU as their page lists them. */
export function presentPasskeys({ list, add }: PasskeyListView, words: PageWords) {
  return { lines: list.map((passkey) => presentPasskey(passkey, words)), add };
}

/** What the question before a removal shows besides its frame. */
export function presentPasskeyRemoval({ passkey, ...view }: PasskeyRemovalView, words: PageWords) {
  const { phrases } = words.texts;
  const name = nameOf(passkey);
  return {
    ...view,
    passkey: presentPasskey(passkey, words),
    title:
      name === "" ? phrases.passkey_remove_title_unnamed : fillText(phrases.passkey_remove_title, { name }),
    consequences: [
      phrases.passkey_remove_effect,
      phrases.passkey_remove_elsewhere,
      phrases.passkey_remove_again,
    ],
    backPath: AUTHENTICATOR_PATH,
    switchQuery: `&remove=${passkey.id}`,
  };
}

/** A passkey in two lines: its name, and when it was added and used. */
function presentPasskey(passkey: ShownPasskey, { texts: { phrases }, writeMoment }: PageWords) {
  const { id, addedAt, lastUsedAt } = passkey;
  const added = fillText(phrases.passkey_added, { time: writeMoment(addedAt) });
  const used =
    lastUsedAt === undefined
      ? phrases.passkey_unused
      : fillText(phrases.passkey_used, { time: writeMoment(lastUsedAt) });
  return {
    id,
    name: nameOf(passkey) || phrases.passkey_unnamed,
    times: `${added}. ${used}.`,
    removePath: `${AUTHENTICATOR_PATH}?remove=${id}`,
  };
}

/**
 * The name of a passkey, empty when it has none. Whoever adds a passkey chooses it; headings and links show it between quotes.
 */
function nameOf({ name }: Pick<ShownPasskey, "name">): string {
  return withoutQuotes(displayText(name));
}
