import { LANGUAGES, type Language, preferredLanguage } from "@cobs/cobs-model";
import type { IncomingCall } from "@cobs/service-edge";
import { hostCookie, readCookie } from "../../psu-session/cookie.ts";

/** The query parameter of the language switch. */
const SWITCH = "lang";
/** Keeps a choice across steps; holds nothing else and ends with the browser session. */
const COOKIE = "__Host-language";

/** The language that the PSU just switched to, if any. */
export function findSwitchedLanguage(call: Pick<IncomingCall, "query">): Language | undefined {
  return findLanguage(call.query.get(SWITCH) ?? "");
}

/** Makes the cookie that remembers a switched language. */
export function languageCookie(language: Language): string {
  return hostCookie(COOKIE, language);
}

/**
 * Chooses the language of a page: what the PSU switched to, now or before; otherwise what the application asked for
 * (`ui_locales`, OpenID Connect Core 3.1.2.1); otherwise what the browser prefers.
 */
export function chooseLanguage(call: Pick<IncomingCall, "query" | "header">, uiLocales?: string): Language {
  return (
    findSwitchedLanguage(call) ??
    findKeptLanguage(call.header("cookie")) ??
    findUiLocale(uiLocales ?? "") ??
    preferredLanguage(call.header("accept-language"))
  );
}

/** The language that the PSU switched to earlier, from a `Cookie` header. */
export function findKeptLanguage(cookie: string | undefined): Language | undefined {
  return findLanguage(readCookie(cookie, COOKIE) ?? "");
}

function findUiLocale(uiLocales: string): Language | undefined {
  const languages = uiLocales.split(" ").map((tag) => findLanguage(tag.toLowerCase().split("-")[0] ?? ""));
  return languages.find((language) => language !== undefined);
}

function findLanguage(text: string): Language | undefined {
  return LANGUAGES.find((language) => language === text);
}
