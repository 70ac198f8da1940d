import type { Language } from "@cobs/cobs-model";

/** Headers of an answer with texts in a language that the caller may choose (COBS 1.2.6). */
export function headersOfLanguage(language: Language): Readonly<Record<string, string>> {
  return { "Content-Language": language, Vary: "Accept-Language" };
}
