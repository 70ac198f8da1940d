import type { RegisteredApplication } from "../applications/application.ts";
import type { SigningTerms } from "./signing-request.ts";

/** As RFC 3986 allows in a query: a browser that reads it another way than we do would go elsewhere. */
const QUERY = /^[A-Za-z0-9._~:/?[\]@!$&'()*+,;=%-]*$/;
const MAX_CHARACTERS = 2_047;
const ADDED = /^(?:paymentId|signId)(?:=|$)/;
const LOOPBACK_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=\/|$)/;

/**
 * Whether the application has registered where a PSU is to go back to: exactly, but for the query (COBS 2.0 3.2.10, A-51),
 * and on a device for the port of its loopback address (RFC 8252 7.3).
 */
export function isRegisteredReturn(url: string, application: RegisteredApplication): boolean {
  const [, query = ""] = splitQuery(url);
  // A port beyond the last is none.
  if (url.length > MAX_CHARACTERS || !QUERY.test(query) || !URL.canParse(url)) return false;
  const place = (text: string) => splitQuery(text)[0].replace(LOOPBACK_PORT, "$1");
  return application.redirectUris.some((registered) => place(registered) === place(url));
}

/**
 * Where the browser goes: the return URL with `paymentId` and `signId` (COBS 2.0 3.2.10), in place of those with which it came
 * back from an earlier order. It tells no outcome, because whoever holds the browser could change it: the TPP asks for that.
 */
export function returnLocation({ returnUrl, paymentId, signId }: SigningTerms): string {
  const [place, query] = splitQuery(returnUrl);
  const kept = query.split("&").filter((part) => part !== "" && !ADDED.test(part));
  return `${place}?${[...kept, new URLSearchParams({ paymentId, signId })].join("&")}`;
}

function splitQuery(url: string): readonly [place: string, query: string] {
  const at = url.indexOf("?");
  return at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}
