/** The languages that the API answers in (COBS PDF 1.2.6), and that pages are written in. */
export const LANGUAGES = ["cs", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

/** One text in every language of the API. */
export type Localized = Readonly<Record<Language, string>>;

/** The language of the bank's country, used when a caller accepts none of ours. */
const DEFAULT_LANGUAGE: Language = "cs";

const MAX_HEADER_LENGTH = 1000;
const RANGE = /^([a-z]{1,8}|\*)(?:-[a-z0-9-]{1,64})?(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

type Range = { readonly language: string; readonly quality: number };

/**
 * Chooses the answer's language from `Accept-Language` (RFC 9110 12.5.4): the highest quality, then the first named, then
 * Czech. Unreadable parts and everything past 1,000 characters are ignored; never refuses.
 */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return DEFAULT_LANGUAGE;
  const ranges = readRanges(acceptLanguage);
  const wanted = LANGUAGES.map((language) => rank(language, ranges)).filter(({ quality }) => quality > 0);
  wanted.sort((one, other) => other.quality - one.quality || one.position - other.position);
  return wanted[0]?.language ?? DEFAULT_LANGUAGE;
}

function readRanges(header: string): readonly Range[] {
  const parts = header.slice(0, MAX_HEADER_LENGTH).toLowerCase().split(",");
  return parts.flatMap((part) => {
    const [, language, quality = "1"] = RANGE.exec(part.replace(/[ \t]/g, "")) ?? [];
    return language === undefined ? [] : [{ language, quality: Number(quality) }];
  });
}

function rank(language: Language, ranges: readonly Range[]) {
  const named = bestPosition(language, ranges);
  const position = named >= 0 ? named : bestPosition("*", ranges);
  return { language, position, quality: ranges[position]?.quality ?? 0 };
}

function bestPosition(language: string, ranges: readonly Range[]): number {
  const best = Math.max(
    ...ranges.filter((range) => range.language === language).map(({ quality }) => quality),
  );
  return ranges.findIndex((range) => range.language === language && range.quality === best);
}
