const MARK = '{"exactNumber":"';
const EXACT_NUMBER = /\{"exactNumber":"(-?(?:0|[1-9]\d*)(?:\.\d+)?)"\}/g;

/**
 * Writes a value as JSON (RFC 8259). An object whose only member is `exactNumber`, a text of decimal digits, is written as
 * that number, digit by digit, because JSON numbers are unbounded and those of JavaScript are not.
 *
 * Such an object cannot be confused with part of a text. Inside a text each quotation mark has a backslash before it, so that
 * `{"` can only begin an object; and no letter follows the end of a text.
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replace(EXACT_NUMBER, "$1") : text;
}
