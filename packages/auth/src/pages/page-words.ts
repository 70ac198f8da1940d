import type { Language } from "@cobs/cobs-model";
import { bound } from "./order-lines.ts";
import { cs } from "./texts/cs.ts";
import { en } from "./texts/en.ts";
import type { Texts } from "./texts/texts.ts";

/** How the pages write in one language; times in the bank's own time zone. */
export interface PageWords {
  readonly texts: Texts;
  readonly language: Language;
  readonly writeMoment: WriteTime;
  readonly writeDate: WriteTime;
  readonly writeHour: WriteTime;
  /** Writes the end of a wait, rounded up to a whole minute, so that the wait is over when its end is read. */
  readonly writeEnd: WriteTime;
  readonly writeDays: (count: number) => string;
}

type WriteTime = (time: Date) => string;

const TEXTS: Readonly<Record<Language, Texts>> = { cs, en };
const TIME_ZONE = "Europe/Prague";
const MINUTE_MILLISECONDS = 60_000;
const HOUR_MILLISECONDS = 3_600_000;
/** Czech says "ve" before these hours: dvě, tři, čtyři, dvanáct to čtrnáct, dvacet and after. */
const HARD_HOUR = / v (?=(?:[234]|1[2-4]|2\d):)/;

/** The words of each language; creating a format takes longer than the rest of a page. */
const WORDS: Readonly<Record<Language, PageWords>> = { cs: createWords("cs"), en: createWords("en") };

/** Returns the words of a language. */
export function wordsOf(language: Language): PageWords {
  return WORDS[language];
}

function createWords(language: Language): PageWords {
  const texts = TEXTS[language];
  const writer = (style: Intl.DateTimeFormatOptions) => timeWriter(texts.locale, style);
  const writeHour = hourWriter(
    writer({ timeStyle: "short" }),
    writer({ hour: "numeric", minute: "2-digit", timeZoneName: "short" }),
  );
  const days = new Intl.NumberFormat(texts.locale, { style: "unit", unit: "day", unitDisplay: "long" });
  return {
    texts,
    language,
    writeMoment: writer({ dateStyle: "long", timeStyle: "short" }),
    writeDate: writer({ dateStyle: "long" }),
    writeHour,
    writeEnd: (end) => writeHour(wholeMinuteOf(end)),
    writeDays: (count) => bound(days.format(count)),
  };
}

function timeWriter(locale: string, style: Intl.DateTimeFormatOptions): WriteTime {
  const format = new Intl.DateTimeFormat(locale, { ...style, timeZone: TIME_ZONE });
  return (time) => bound(format.format(time).replace(HARD_HOUR, " ve "));
}

/** Writes a time of day; of one that comes twice, in the night when summer time ends, which of the two it is. */
function hourWriter(write: WriteTime, writeWithZone: WriteTime): WriteTime {
  return (time) => {
    const hour = write(time);
    const comesTwice = [-HOUR_MILLISECONDS, HOUR_MILLISECONDS].some(
      (offset) => write(new Date(time.getTime() + offset)) === hour,
    );
    return comesTwice ? writeWithZone(time) : hour;
  };
}

function wholeMinuteOf(end: Date): Date {
  return new Date(Math.ceil(end.getTime() / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS);
}
