/**
 * SQL expressions that write bank-local time (Europe/Prague). The database formats the text, so that no row needs a `Date`.
 * Arguments are names of columns, never text from a caller.
 */

/** The bank-local date and time of an instant, without an offset. */
export function localTimeSql(instant: string): string {
  return `(${instant} AT TIME ZONE 'Europe/Prague')`;
}

/** ISODate (COBS 3.1.5). */
export function isoDateSql(day: string): string {
  return `to_char(${day}, 'YYYY-MM-DD')`;
}

/** ISODateTime with the offset of that moment (COBS 3.1.5, A-42); Prague's offset has never been negative. */
export function isoDateTimeSql(instant: string): string {
  const local = localTimeSql(instant);
  return `to_char(${local}, 'YYYY-MM-DD"T"HH24:MI:SS.MS')
    || to_char(${local} - (${instant} AT TIME ZONE 'UTC'), '"+"HH24:MI')`;
}
