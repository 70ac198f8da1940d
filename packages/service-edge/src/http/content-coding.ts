import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "koa";

/** A coding that we have (RFC 9110 section 8.4.1). */
export type Coding = "gzip" | "br";

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

/** Compresses a body whole, not streamed, so that HEAD tells the length that GET would have. */
export function encode(body: string | Buffer, coding: Coding): Promise<Buffer> {
  return ENCODERS[coding](body);
}

/**
 * The coding that the caller likes best for a body (RFC 9110 section 12.5.3); none for a short one, unless
 * the caller excludes that. One who excludes everything that we have gets the answer as it is: that section wants no refusal.
 */
export function chooseCoding(ctx: Context, body: string | Buffer): Coding | undefined {
  if (ctx.req.headers["accept-encoding"] === undefined) return undefined;
  if (Buffer.byteLength(body) < THRESHOLD_BYTES && ctx.acceptsEncodings("identity") === "identity")
    return undefined;
  const coding = ctx.acceptsEncodings("gzip", "br", "identity");
  return coding === "gzip" || coding === "br" ? coding : undefined;
}
