import type Provider from "oidc-provider";
import type { Configuration, CookiesSetOptions } from "oidc-provider";

const PROTECTED: CookiesSetOptions = { signed: true, secure: true, httpOnly: true, sameSite: "lax" };

/**
 * Cookies of the PSU's browser: signed, sent over TLS only and hidden from scripts. The session's name binds it to this
 * host (RFC 6265bis `__Host-`); an interaction's cookies are bound to its path. The first key signs, all are accepted. The
 * signature is an HMAC with SHA-1, which collisions of SHA-1 do not weaken (RFC 6194 3.3); with another, this release and the one
 * before would refuse each other's cookies during an upgrade.
 */
export function providerCookies(keys: readonly string[]): NonNullable<Configuration["cookies"]> {
  return {
    keys,
    long: { ...PROTECTED, path: "/" },
    short: PROTECTED,
    names: { session: "__Host-session", interaction: "__Secure-interaction", resume: "__Secure-resume" },
  };
}

const EXPIRES = /; expires=([^;]+)/;

/**
 * Adds `max-age`, the seconds left, to each cookie that has `expires`; it takes precedence (RFC 6265 5.3). WebKit
 * compares `expires` with the device's clock, and would drop the cookie at once if that is fast.
 */
export function tellCookieAges(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const cookies = ctx.res.getHeader("Set-Cookie");
    if (cookies !== undefined) ctx.set("Set-Cookie", [cookies].flat().map(String).map(withAge));
  });
}

function withAge(cookie: string): string {
  const expires = EXPIRES.exec(cookie)?.[1];
  if (expires === undefined) return cookie;
  const seconds = Math.max(0, Math.round((Date.parse(expires) - Date.now()) / 1_000));
  return `${cookie}; max-age=${seconds}`;
}
