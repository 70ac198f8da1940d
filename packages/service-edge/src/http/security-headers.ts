import type { Context, Middleware } from "koa";
import helmet from "koa-helmet";

/** What a listener answers with: data for programs, or pages for the PSU's browser. */
export type ResponseKind = "data" | "pages";

const ONE_YEAR_SECONDS = 31_536_000;

// No `form-action`: Chromium applies it to the redirect that leads back to the TPP and would stop it.
const PAGE_POLICY = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  imgSrc: ["'self'", "data:"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Headers of every answer: nothing is cached, sniffed, framed or loaded from elsewhere (OWASP ASVS 3.4). */
export function securityHeaders(kind: ResponseKind): Middleware {
  const policy = kind === "pages" ? PAGE_POLICY : { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    strictTransportSecurity: { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
  });
  let headers: readonly (readonly [string, string])[] | undefined;
  return async (ctx, next) => {
    headers ??= await headersOf(ctx, protect);
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    await next();
  };
}

/** What is set for one answer, which is the same for all. */
async function headersOf(ctx: Context, protect: Middleware): Promise<readonly (readonly [string, string])[]> {
  const before = ctx.res.getHeaderNames();
  await protect(ctx, async () => undefined);
  const added = ctx.res.getHeaderNames().filter((name) => !before.includes(name));
  const protecting = added.map((name) => [name, String(ctx.res.getHeader(name))] as const);
  return [...protecting, ["Cache-Control", "no-store"], ["Pragma", "no-cache"]];
}
