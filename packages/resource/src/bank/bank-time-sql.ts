/**
 * Expressions that write bank-local time, which is that of Europe/Prague. The database makes the texts, because a row
 * needs no `Date` then. Their names are those of columns, never of anything that a caller sent.
 */

/** The bank-local date and time of an instant, without an offset. */
export function localTimeSql(instant: string): string {
  return `(${instant} AT TIME ZONE 'Europe/Prague')`;
}

/** ISODate (COBS 3.1.5). */
export function isoDateSql(day: string): string {
  return `to_char(${day}, 'YYYY-MM-DD')`;
}

/** ISODateTime with the offset of that moment (COBS 3.1.5, A-42); it has never been below zero. */
export function isoDateTimeSql(instant: string): string {
  const local = localTimeSql(instant);
  return `to_char(${local}, 'YYYY-MM-DD"T"HH24:MI:SS.MS')
    || to_char(${local} - (${instant} AT TIME ZONE 'UTC'), '"+"HH24:MI')`;
}
