import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context, Middleware } from "koa";

type Coding = "gzip" | "br";

/** What is shorter fits into a packet as it is. */
const THRESHOLD_BYTES = 1_024;

/** Beyond these a body becomes a few per cent smaller, and takes several times longer. */
const GZIP = { level: 3 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)];

const ENCODERS: Readonly<Record<Coding, (body: string | Buffer) => Promise<Buffer>>> = {
  gzip: (body) => gzipped(body, GZIP),
  br: (body) => brotlied(body, BROTLI),
};

/**
 * Compresses answers, refusals too, for callers who ask for it (RFC 9110 section 12.5.3). One who excludes everything that
 * we have gets the answer as it is: that section wants no refusal. A body is compressed whole, not streamed, so that HEAD
 * tells the length that GET would have.
 *
 * Only for listeners whose answers have no secret beside what a stranger can put into them: where one does, its length
 * would tell the secret (CRIME, BREACH). TPPs are programs with certificates of their own; no stranger makes them call, and
 * nothing that they send comes back in a body.
 */
export function contentCoding(): Middleware {
  return async (ctx, next) => {
    await next();
    ctx.vary("Accept-Encoding");
    const { body } = ctx;
    if (typeof body !== "string" && !Buffer.isBuffer(body)) return;
    const coding = chooseCoding(ctx, Buffer.byteLength(body));
    if (coding === undefined) return;
    ctx.body = await ENCODERS[coding](body);
    ctx.set("Content-Encoding", coding);
  };
}

/** The coding that the caller likes best; none for a short body, unless the caller excludes that. */
function chooseCoding(ctx: Context, bytes: number): Coding | undefined {
  if (ctx.req.headers["accept-encoding"] === undefined) return undefined;
  if (bytes < THRESHOLD_BYTES && ctx.acceptsEncodings("identity") === "identity") return undefined;
  const coding = ctx.acceptsEncodings("gzip", "br", "identity");
  return coding === "gzip" || coding === "br" ? coding : undefined;
}
