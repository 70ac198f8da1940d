/**
 * Values that a variable can have by itself. Each parser throws a sentence without a subject, such as "must be …"; its reader
 * puts the name of the variable before it.
 */
import { isIP } from "node:net";
import type { Variable } from "./variable.ts";

/** Labels of RFC 1123 2.1, and `_` as in names of containers; the last label is not a number, as it is in an IP address. */
const HOST_NAME = /^(?:\w[\w-]{0,62}\.)*(?!\d+$)\w[\w-]{0,62}$/;

/** Parses decimal digits alone, within bounds that include both ends. */
export function parseWholeNumber([least, most]: NonNullable<Variable["bounds"]>) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return number;
  };
}

/** Parses the address or name of a listener. */
export function parseHost(text: string): string {
  if (isIP(text) === 0 && !HOST_NAME.test(text))
    throw new Error("must be an IP address or a host name, without scheme, brackets or port");
  return text;
}

/** Parses a URL with one of these protocols, each written with its colon. */
export function parseUrl(protocols: readonly string[]) {
  return (text: string): URL => {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
      throw new Error(`must be a URL that starts with ${protocols.join(" or ")}`);
    return new URL(text);
  };
}

/** Parses an https URL without a path, query, fragment or password. */
export function parseOrigin(text: string): URL {
  const url = parseUrl(["https:"])(text);
  if (url.href !== `${url.origin}/`) throw new Error("must be https, a host and a port, and nothing else");
  return url;
}

/** Parses one of these words. */
export function parseChoice<T extends string>(choices: readonly T[]) {
  return (text: string): T => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new Error(`must be one of: ${choices.join(", ")}`);
    return found;
  };
}
