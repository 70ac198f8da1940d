import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "koa";

/** A content coding that we support (RFC 9110 section 8.4.1). */
export type Coding = "gzip" | "br";

/** A shorter body fits into one packet uncompressed. */
const THRESHOLD_BYTES = 1_024;

/** Higher levels make a body only a few per cent smaller, and take several times longer. */
const GZIP = { level: 3 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)];

const ENCODERS: Readonly<Record<Coding, (body: string | Buffer) => Promise<Buffer>>> = {
  gzip: (body) => gzipped(body, GZIP),
  br: (body) => brotlied(body, BROTLI),
};

/** Compresses a body whole, not streamed, so that HEAD reports the length that GET would have. */
export function encode(body: string | Buffer, coding: Coding): Promise<Buffer> {
  return ENCODERS[coding](body);
}

/**
 * Chooses the coding that the caller prefers for a body (RFC 9110 section 12.5.3). A short body gets none, unless the caller
 * excludes that. A caller that excludes all our codings gets the body uncoded, because that section asks for no refusal.
 */
export function chooseCoding(ctx: Context, body: string | Buffer): Coding | undefined {
  if (ctx.req.headers["accept-encoding"] === undefined) return undefined;
  if (Buffer.byteLength(body) < THRESHOLD_BYTES && ctx.acceptsEncodings("identity") === "identity")
    return undefined;
  const coding = ctx.acceptsEncodings("gzip", "br", "identity");
  return coding === "gzip" || coding === "br" ? coding : undefined;
}
