import type { SignInChange } from "../notices/sign-in-change.ts";
import { displayText, withoutQuotes } from "./display-text.ts";
import { fillText, type Texts } from "./texts/texts.ts";

/** Everything except characters that can form neither a link nor the end of a quote. */
const STRANGE = /[^\p{L}\p{M}\p{N} '()+_-]+/gu;

/**
 * Writes the text that tells a PSU what was changed, when, and what to do if somebody else did it. The name may be that person's
 * words, so it stands last, between quotes that it cannot leave, and has no link.
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
