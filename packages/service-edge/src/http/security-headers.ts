import type { Context, Middleware } from "koa";
import helmet from "koa-helmet";

/** Kind of answers of a listener: data for programs, or pages for the PSU's browser. */
export type ResponseKind = "data" | "pages";

/** Names and values of headers. */
export type HeaderPairs = readonly (readonly [string, string])[];

/** Headers that all answers of a listener have, prepared in the forms that are needed. */
export interface StandingHeaders {
  readonly pairs: HeaderPairs;
  /** Names and values in turn. */
  readonly flat: readonly string[];
  /** Names in lower case. */
  readonly names: ReadonlySet<string>;
}

const ONE_YEAR_SECONDS = 31_536_000;

// No `form-action`: Chromium applies it to the redirect back to the TPP and would block that.
const PAGE_POLICY = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  imgSrc: ["'self'", "data:"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/**
 * Makes the headers of every answer: nothing is cached, sniffed, framed or loaded from elsewhere (OWASP ASVS 3.4). They are
 * the same for all answers, and made with the first.
 */
export function securityHeaders(kind: ResponseKind): (ctx: Context) => Promise<StandingHeaders> {
  const policy = kind === "pages" ? PAGE_POLICY : { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    strictTransportSecurity: { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
  });
  return async (ctx) => {
    const pairs = await headersOf(ctx, protect);
    return { pairs, flat: pairs.flat(), names: new Set(pairs.map(([name]) => name.toLowerCase())) };
  };
}

/**
 * Collects the headers that the middleware sets on one answer, and removes them again, because answers are written in one
 * step.
 */
async function headersOf(ctx: Context, protect: Middleware): Promise<HeaderPairs> {
  const before = ctx.res.getHeaderNames();
  await protect(ctx, async () => undefined);
  const added = ctx.res.getHeaderNames().filter((name) => !before.includes(name));
  const protecting = added.map((name) => [name, String(ctx.res.getHeader(name))] as const);
  for (const name of added) ctx.res.removeHeader(name);
  return [...protecting, ["Cache-Control", "no-store"], ["Pragma", "no-cache"]];
}
