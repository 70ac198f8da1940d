import type { SignInChange } from "../notices/sign-in-change.ts";
import { displayText, withoutQuotes } from "./display-text.ts";
import { fillText, type Texts } from "./texts/texts.ts";

/** All that neither an address to press nor a quote can be made of. */
const STRANGE = /[^\p{L}\p{M}\p{N} '()+_-]+/gu;

/**
 * The text that tells a PSU what was changed, when, and what to do if it was somebody else. Then the name may be that person's
 * words: it stands last, between quotes that it cannot leave, and has no link.
 */
export function writeNotice(
  {
    change,
    time,
    bankName,
  }: { readonly change: SignInChange; readonly time: string; readonly bankName: string },
  { phrases }: Texts,
): string {
  const said = fillText(phrases[`notice_${change.kind}`], { bank: bankName, time });
  const name =
    "name" in change ? displayText(withoutQuotes(displayText(change.name)).replace(STRANGE, " ")) : "";
  return name === "" ? said : `${said} ${fillText(phrases.notice_name, { name })}`;
}
