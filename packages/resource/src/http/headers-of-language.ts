import type { Language } from "@cobs/cobs-model";

/** Says that an answer has texts in a language, which the caller may choose (COBS 1.2.6). */
export function headersOfLanguage(language: Language): Readonly<Record<string, string>> {
  return { "Content-Language": language, Vary: "Accept-Language" };
}
