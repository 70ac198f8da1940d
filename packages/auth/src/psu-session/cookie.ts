import { randomBytes } from "node:crypto";
import type { IncomingCall } from "@cobs/service-edge";
import { parseCookie, type SetCookie, stringifySetCookie } from "cookie";

/** Holds the id of a PSU's session in this browser. */
export const PSU_SESSION_COOKIE = "__Host-psu-session";
/** Names a browser from its first sign-in page on, for all of its tabs; it opens nothing. */
export const BROWSER_COOKIE = "__Host-psu-browser";

/** What our own cookies may hold; the longest are the marks of a device. */
const VALUE = /^[A-Za-z0-9_.-]{1,300}$/;
const ID_BYTES = 32;
const PROTECTED = { secure: true, httpOnly: true, sameSite: "lax" } as const satisfies Partial<SetCookie>;

/** The value of one of our cookies, from the nearest path (RFC 6265 5.4); undefined when we never write such a value. */
export function findCookie(call: Pick<IncomingCall, "header">, name: string): string | undefined {
  return readCookie(call.header("cookie"), name);
}

/** Reads the same value from a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const value = parseCookie(header ?? "")[name];
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** A cookie for the whole host, which no other host can set (RFC 6265bis `__Host-`). It ends with the browser or its age. */
export function hostCookie(name: string, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds };
  return stringifySetCookie({ name, value, path: "/", ...PROTECTED, ...age });
}

/** A value that nobody can guess. */
export function createId(): string {
  return randomBytes(ID_BYTES).toString("base64url");
}

/** The cookie with the name of a browser, kept until the next sign-out, or until the browser is closed; by default a new name. */
export function browserCookie(name = createId()): string {
  return hostCookie(BROWSER_COOKIE, name);
}

/** The name of this browser; for a browser without one, a new name, which must be sent to it. */
export function browserNameOf(call: Pick<IncomingCall, "header">): string {
  return findCookie(call, BROWSER_COOKIE) ?? createId();
}

/** The cookie that gives a browser its name; none for a browser that has one. */
export function nameBrowser(call: Pick<IncomingCall, "header">, name: string): readonly string[] {
  return findCookie(call, BROWSER_COOKIE) === undefined ? [browserCookie(name)] : [];
}

/** A cookie that is sent only to one place and below. */
export function placeCookie(
  { name, place }: { readonly name: string; readonly place: string },
  value: string,
  maxAgeSeconds: number,
): string {
  return stringifySetCookie({ name, value, path: place, ...PROTECTED, maxAge: maxAgeSeconds });
}
