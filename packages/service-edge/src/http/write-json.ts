const MARK = '{"exactNumber":"';
const EXACT_NUMBER = /\{"exactNumber":"(-?(?:0|[1-9]\d*)(?:\.\d+)?)"\}/g;

/**
 * Writes a value as JSON (RFC 8259). An object with the one member `exactNumber`, a text of decimal digits, is written as
 * that number, digit by digit: JSON numbers have no bound, those of JavaScript do.
 *
 * That such an object is never mistaken for a part of a text: inside of a text each quotation mark has a backslash before
 * it, so that `{"` can only be the beginning of an object; and behind the end of a text no letter follows.
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replace(EXACT_NUMBER, "$1") : text;
}
