import type { Configuration, CookiesSetOptions } from "oidc-provider";

const PROTECTED: CookiesSetOptions = { signed: true, secure: true, httpOnly: true, sameSite: "lax" };

/**
 * Cookies of the PSU's browser: signed, never sent in clear nor shown to scripts. The session's name binds it to this
 * host (RFC 6265bis `__Host-`); those of an interaction are bound to its path. Keys: the first signs, all are accepted.
 */
export function providerCookies(keys: readonly string[]): NonNullable<Configuration["cookies"]> {
  return {
    keys,
    long: { ...PROTECTED, path: "/" },
    short: PROTECTED,
    names: { session: "__Host-session", interaction: "__Secure-interaction", resume: "__Secure-resume" },
  };
}
