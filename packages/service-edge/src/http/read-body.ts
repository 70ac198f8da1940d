import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Context } from "koa";
import { EdgeRefusal } from "./edge-refusal.ts";
import { gatherOctets } from "./gather-octets.ts";
import { singleHeader } from "./header-values.ts";
import { type KeepNumber, parseStrictJson } from "./strict-json.ts";
import { requireChunkedAlone } from "./transfer-coding.ts";
import { readUtf8, readUtf8Form } from "./utf8-body.ts";

/** Most bytes of any request body. */
const BODY_LIMIT_BYTES = 65_536;

const MEDIA_TYPES = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;

function tooLarge(): EdgeRefusal {
  return new EdgeRefusal("body_too_large", `the body is larger than ${BODY_LIMIT_BYTES} bytes`);
}

/** Decoders by content coding, for bodies that have one (RFC 9110 section 8.4.1). */
const UNPACKERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;
type Coding = keyof typeof UNPACKERS;

function requireMediaType(ctx: Context, kind: keyof typeof MEDIA_TYPES): void {
  const wanted = MEDIA_TYPES[kind];
  if (ctx.is(wanted) !== wanted) {
    if (!hasBody(ctx.req)) throw new EdgeRefusal("body_malformed", "the body is missing");
    throw new EdgeRefusal("media_type_unsupported", `the body must be ${wanted}`, { path: "Content-Type" });
  }
  if (ctx.request.charset !== "" && ctx.request.charset.toLowerCase() !== "utf-8") {
    throw new EdgeRefusal("media_type_unsupported", "the charset must be UTF-8", { path: "Content-Type" });
  }
}

/** Whether a request has a body; it has none if it gives no length (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function parseForm(bytes: Uint8Array): Readonly<Record<string, readonly string[]>> {
  const fields: Record<string, string[]> = Object.create(null);
  for (const [name, value] of readUtf8Form(bytes)) {
    const values = fields[name];
    if (values === undefined) fields[name] = [value];
    else values.push(value);
  }
  return fields;
}

/**
 * Reads the body that a route expects: a JSON value, or form fields as lists of values.
 *
 * Refuses with `media_type_unsupported`, `header_repeated`, `body_too_large` or `body_malformed`.
 */
export async function readBody(ctx: Context, kind: keyof typeof MEDIA_TYPES): Promise<unknown> {
  return kind === "json" ? readJson(ctx) : parseForm(await bytesOf(ctx, kind));
}

/** Reads a JSON body; refuses as `readBody` does. */
export async function readJson(ctx: Context, keepNumber?: KeepNumber): Promise<unknown> {
  return parseStrictJson(readUtf8(await bytesOf(ctx, "json")), keepNumber);
}

async function bytesOf(ctx: Context, kind: keyof typeof MEDIA_TYPES): Promise<Uint8Array> {
  const isPlain = singleHeader(ctx.req, "Content-Type") === MEDIA_TYPES[kind];
  const arrived = isPlain ? takeArrived(ctx.req) : undefined;
  if (arrived !== undefined) return arrived;
  requireMediaType(ctx, kind);
  requireChunkedAlone(ctx.req);
  const coding = requireCoding(ctx.req);
  const sent = await readSent(ctx.req);
  if (coding === undefined) return sent;
  return unpack(sent, coding);
}

/** What an unpacker returns when asked for `info`; its declared type leaves this out. */
interface Unpacked {
  readonly buffer: Buffer;
  /** Number of bytes of the input that it has used. */
  readonly engine: { readonly bytesWritten: number };
}

async function unpack(sent: Uint8Array, coding: Coding): Promise<Uint8Array> {
  const limits = { maxOutputLength: BODY_LIMIT_BYTES, info: true };
  const unpacked = await UNPACKERS[coding](sent, limits).catch((error: Error & { code?: string }) => {
    throw error.code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : wronglyPacked();
  });
  const { buffer, engine }: Unpacked = Object(unpacked);
  // Whatever follows would be silently left out.
  if (engine.bytesWritten !== sent.length) throw wronglyPacked();
  return buffer;
}

function wronglyPacked(): EdgeRefusal {
  return new EdgeRefusal("body_malformed", "the body is not compressed as Content-Encoding says");
}

/** Returns the coding of a body; undefined if it has none. */
function requireCoding({ headers }: IncomingMessage): Coding | undefined {
  // RFC 9110 8.4.1.3: `x-gzip` is the same.
  const coding = (headers["content-encoding"] || "identity").toLowerCase().replace(/^x-(?=gzip$)/, "");
  if (coding === "identity") return undefined;
  if (isCoding(coding)) return coding;
  throw new EdgeRefusal(
    "media_type_unsupported",
    "the body must be compressed as gzip, deflate or br, or not at all",
    { path: "Content-Encoding" },
  );
}

function isCoding(coding: string): coding is Coding {
  return Object.hasOwn(UNPACKERS, coding);
}

/** Reads the bytes of a body as sent. */
async function readSent(request: IncomingMessage): Promise<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  const octets = gatherOctets();
  for await (const piece of piecesOf(request)) {
    if (octets.length() + piece.length > BODY_LIMIT_BYTES) throw tooLarge();
    octets.add(piece);
  }
  return octets.all();
}

/** Reads the pieces of a body; keeps the connection for the answer even if it stops early. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new EdgeRefusal("body_malformed", "the body could not be read");
  }
}

/**
 * Takes the bytes of a body that has already arrived whole, as most do, in one piece: as many as the request announces, which
 * is where its message ends (RFC 9112 section 6.3). Undefined if there is more to do: waiting, unpacking or refusing.
 */
function takeArrived(request: IncomingMessage): Uint8Array | undefined {
  const { headers, readableLength } = request;
  if (readableLength === 0 || readableLength > BODY_LIMIT_BYTES) return undefined;
  if (Number(headers["content-length"]) !== readableLength || headers["content-encoding"]) return undefined;
  // Asks for the length, because otherwise Node.js 26 returns only the first piece.
  const bytes: unknown = request.read(readableLength);
  // Makes the request report its end, as with every body that is read.
  request.resume();
  if (!(bytes instanceof Uint8Array && bytes.length === readableLength))
    throw new EdgeRefusal("body_malformed", "the body could not be read");
  return bytes;
}
