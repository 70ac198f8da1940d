import { displayText } from "./display-text.ts";
import type { PasskeyListView } from "./page-view.ts";
import type { Texts } from "./texts/texts.ts";

/** The passkeys of a PSU as their page lists them. */
export function presentPasskeys(
  { list, add, remove }: PasskeyListView,
  { texts, write }: { readonly texts: Texts; readonly write: (time: Date) => string },
) {
  const lines = list.map(({ id, name, addedAt, lastUsedAt }) => ({
    id,
    name: displayText(name) || texts.phrases.passkey_unnamed,
    added: write(addedAt),
    used: lastUsedAt && write(lastUsedAt),
  }));
  return { lines, add, remove };
}
