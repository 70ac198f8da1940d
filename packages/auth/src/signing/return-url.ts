import type { RegisteredApplication } from "../applications/application.ts";
import type { SigningTerms } from "./signing-request.ts";

/** Characters that RFC 3986 allows in a query: a browser that reads others differently from us would go elsewhere. */
const QUERY = /^[A-Za-z0-9._~:/?[\]@!$&'()*+,;=%-]*$/;
const MAX_CHARACTERS = 2_047;
const ADDED = /^(?:paymentId|signId)(?:=|$)/;
const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=\/|$)/;

/**
 * Tells whether the application registered this return URL: exactly, except for its query (COBS 2.0 3.2.10, A-51), and on a
 * device except for the port of a loopback address (RFC 8252 7.3).
 */
export function isRegisteredReturn(url: string, application: RegisteredApplication): boolean {
  const [, query = ""] = splitQuery(url);
  // `canParse` refuses a port above 65535.
  if (url.length > MAX_CHARACTERS || !QUERY.test(query) || !URL.canParse(url)) return false;
  const place = (text: string) => splitQuery(text)[0].replace(LOOPBACK_PORT, "$1");
  return application.redirectUris.some((registered) => place(registered) === place(url));
}

/**
 * Builds the URL that the browser returns to: the return URL with `paymentId` and `signId` (COBS 2.0 3.2.10), which replace those
 * of an earlier order. It tells no outcome, because whoever controls the browser could change it: the TPP asks for the outcome.
 */
export function returnLocation({ returnUrl, paymentId, signId }: SigningTerms): string {
  const [place, query] = splitQuery(returnUrl);
  const kept = query.split("&").filter((part) => part !== "" && !ADDED.test(part));
  return `${place}?${[...kept, new URLSearchParams({ paymentId, signId })].join("&")}`;
}

/** The return URL without its query, which is as the application registered it. */
export function returnPlace({ returnUrl }: Pick<SigningTerms, "returnUrl">): string {
  return splitQuery(returnUrl)[0];
}

function splitQuery(url: string): readonly [place: string, query: string] {
  const at = url.indexOf("?");
  return at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}
