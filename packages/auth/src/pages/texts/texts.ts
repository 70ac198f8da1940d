import type { Language } from "@cobs/cobs-model";
import type { en } from "./en.ts";

/** A text that says where the browser goes; for an application on a device there is no host to name. */
export type BackKey = "cancel_to" | "return_to" | "next_return" | "order_next";

/** A short text of a page. */
export type PhraseKey = keyof typeof en.phrases;

/** A page that only says something: why the PSU cannot go on, and what to do. */
export type MessageKey = keyof typeof en.messages;

/** What a message page says; `advice` is a list of things to do, the most useful first. */
export interface MessageText {
  readonly title: string;
  readonly lead: string;
  readonly advice: readonly string[];
}

/** All texts of one language. A missing key does not compile. */
export interface Texts {
  readonly phrases: Readonly<Record<PhraseKey, string>>;
  readonly messages: Readonly<Record<MessageKey, MessageText>>;
  /** Competent authorities by their nCAId, for certificates that name them in another language (ETSI TS 119 495 5.2.3). */
  readonly authorities: ReadonlyMap<string, string>;
  /** The name of each language in that language, for the switch. */
  readonly names: Readonly<Record<Language, string>>;
  /** The BCP 47 tag for writing dates and numbers. */
  readonly locale: string;
}

/** Values for the `{…}` of a text. */
export type Fillings = Readonly<Record<string, string | number>>;

/** Fills in the `{…}` of a text once; the filled-in values are not searched again. */
export function fillText(text: string, fillings: Fillings): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fillings[name];
    if (value === undefined) throw new TypeError(`the text needs ${name}`);
    return String(value);
  });
}
