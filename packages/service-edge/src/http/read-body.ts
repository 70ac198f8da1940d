import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Context } from "koa";
import { koaBody } from "koa-body";
import { EdgeRefusal } from "./edge-refusal.ts";
import { gatherOctets } from "./gather-octets.ts";
import { type KeepNumber, parseStrictJson } from "./strict-json.ts";
import { readUtf8, readUtf8Form } from "./utf8-body.ts";

/** Most bytes of a request body, everywhere. */
const BODY_LIMIT_BYTES = 65_536;

const MEDIA_TYPES = { json: "application/json", form: "application/x-www-form-urlencoded" } as const;

function tooLarge(): EdgeRefusal {
  return new EdgeRefusal("body_too_large", `the body is larger than ${BODY_LIMIT_BYTES} bytes`);
}

/** Codings in which a body may come, but for none at all (RFC 9110 section 8.4.1). */
const CODINGS: ReadonlySet<string> = new Set(["gzip", "deflate", "br"]);

function refusePacked(error: Error & { status?: number }): never {
  if (error.status === 413) throw tooLarge();
  throw new EdgeRefusal("body_malformed", "the body is not compressed as Content-Encoding says");
}

// Both kinds are read as bytes and parsed here: one reader bounds them, one place decides what is well formed. Koa-body gives
// text alone: of UTF-8 it replaces what is none, of Latin-1 it makes one character of each byte.
const BYTES_AS_TEXT = "latin1";
const readText = koaBody({
  json: false,
  urlencoded: false,
  multipart: false,
  text: true,
  textTypes: Object.values(MEDIA_TYPES),
  textLimit: BODY_LIMIT_BYTES,
  encoding: BYTES_AS_TEXT,
  patchKoa: true,
  onError: refusePacked,
});

function requireMediaType(ctx: Context, kind: keyof typeof MEDIA_TYPES): void {
  const wanted = MEDIA_TYPES[kind];
  if (ctx.is(wanted) !== wanted) {
    throw new EdgeRefusal("media_type_unsupported", `the body must be ${wanted}`, { path: "Content-Type" });
  }
  if (ctx.request.charset !== "" && ctx.request.charset.toLowerCase() !== "utf-8") {
    throw new EdgeRefusal("media_type_unsupported", "the charset must be UTF-8", { path: "Content-Type" });
  }
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
 * Refuses with `media_type_unsupported`, `body_too_large` or `body_malformed`.
 */
export async function readBody(ctx: Context, kind: "none" | "json" | "form"): Promise<unknown> {
  if (kind === "none") return undefined;
  if (kind === "json") return readJson(ctx);
  return parseForm(await bytesOf(ctx, kind));
}

/** Reads a body of JSON; refuses as `readBody`. */
export async function readJson(ctx: Context, keepNumber?: KeepNumber): Promise<unknown> {
  return parseStrictJson(readUtf8(await bytesOf(ctx, "json")), keepNumber);
}

async function bytesOf(ctx: Context, kind: keyof typeof MEDIA_TYPES): Promise<Uint8Array> {
  const arrived = ctx.req.headers["content-type"] === MEDIA_TYPES[kind] ? takeArrived(ctx.req) : undefined;
  if (arrived !== undefined) return arrived;
  requireMediaType(ctx, kind);
  const coding = requireCoding(ctx.req);
  const sent = await readSent(ctx.req);
  if (coding === undefined) return sent;
  await readText(withBody(ctx, sent, coding), async () => {});
  const text: unknown = ctx.request.body;
  if (typeof text !== "string") throw new EdgeRefusal("body_malformed", "the body is missing");
  return Buffer.from(text, BYTES_AS_TEXT);
}

/** The same call whose body comes in one piece: one that is unpacked octet by octet comes so out of its packing, too. */
function withBody(ctx: Context, bytes: Uint8Array, coding: string): Context {
  const headers = { ...ctx.req.headers, "content-encoding": coding };
  return Object.create(ctx, { req: { value: Object.assign(Readable.from([bytes]), { headers }) } });
}

/** The coding of a body, as its reader knows it; undefined where it comes as it is. */
function requireCoding({ headers }: IncomingMessage): string | undefined {
  const coding = (headers["content-encoding"] || "identity").toLowerCase();
  if (coding === "identity") return undefined;
  if (CODINGS.has(coding)) return coding;
  throw new EdgeRefusal(
    "media_type_unsupported",
    "the body must be compressed as gzip, deflate or br, or not at all",
    { path: "Content-Encoding" },
  );
}

/** The bytes of a body as it is sent. */
async function readSent(request: IncomingMessage): Promise<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  const octets = gatherOctets();
  for await (const piece of piecesOf(request)) {
    if (octets.length + piece.length > BODY_LIMIT_BYTES) throw tooLarge();
    octets.add(piece);
  }
  return octets.all();
}

/** The connection stays for the answer, also where not all is read. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new EdgeRefusal("body_malformed", "the body could not be read");
  }
}

/**
 * The bytes of a body of which all are there already, as they are of most calls, which come in one piece: as many as the call
 * says, which is where its message ends (RFC 9112 section 6.3). Undefined where there is more to do: to wait, to unpack, or to
 * refuse.
 */
function takeArrived(request: IncomingMessage): Uint8Array | undefined {
  const { headers, readableLength } = request;
  if (readableLength === 0 || readableLength > BODY_LIMIT_BYTES) return undefined;
  if (Number(headers["content-length"]) !== readableLength || headers["content-encoding"]) return undefined;
  // By its length: without one, Node.js 26 gives the first piece alone.
  const bytes: unknown = request.read(readableLength);
  // So that its end is told when it comes, as of every body that is read.
  request.resume();
  if (!(bytes instanceof Uint8Array && bytes.length === readableLength))
    throw new EdgeRefusal("body_malformed", "the body could not be read");
  return bytes;
}
