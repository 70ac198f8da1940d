import type { ServerResponse } from "node:http";
import type { Context } from "koa";
import type { Answer } from "./call.ts";
import { noteWritten } from "./call-record.ts";
import { chooseCoding, encode } from "./content-coding.ts";
import type { HeaderPairs, StandingHeaders } from "./security-headers.ts";
import { writeJson } from "./write-json.ts";

/** What an answer gets in addition to what its handler gave it. */
export interface AnswerFrame {
  /** Headers of all answers; an answer may override each with its own value. */
  readonly standing: StandingHeaders;
  /** Headers of this call. */
  readonly ofCall: HeaderPairs;
  /**
   * Whether answers, including refusals, are compressed for callers that ask. Safe only for listeners whose answers do not
   * combine a secret with what a stranger can insert, because their length would reveal the secret (CRIME, BREACH). TPPs are
   * programs with their own certificates: no stranger makes them call, and nothing that they send comes back in a body.
   */
  readonly compresses: boolean;
}

/** Headers in the flat form that Node takes: name and value in turn. */
type FlatHeaders = (string | string[])[];

type OwnHeaders = NonNullable<Answer["headers"]>;

interface Body {
  readonly type: string;
  readonly bytes: string | Buffer;
}

/**
 * Row 10: writes an answer. Status, headers and body go to Node together, because a header set alone costs a call as much as a
 * check of its certificate. `beforeEnd` runs when everything is written, before the connection may be closed.
 */
export async function writeAnswer(
  ctx: Context,
  answer: Answer,
  frame: AnswerFrame,
  beforeEnd?: () => Promise<void>,
): Promise<void> {
  const own = frame.compresses ? varying(answer.headers) : (answer.headers ?? NONE);
  const headers = flatHeaders(own, frame);
  const body = bodyOf(ctx, answer);
  const coding = frame.compresses && body !== undefined ? chooseCoding(ctx, body.bytes) : undefined;
  if (body === undefined || coding === undefined)
    return end(ctx, answer.status, { headers, body, beforeEnd });
  const bytes = await encode(body.bytes, coding);
  headers.push("Content-Encoding", coding);
  return end(ctx, answer.status, { headers, body: { ...body, bytes }, beforeEnd });
}

/** Sets our headers on an answer that another application will write. */
export function setHeaders(response: ServerResponse, { standing, ofCall }: AnswerFrame): void {
  for (const [name, value] of [...standing.pairs, ...ofCall]) response.setHeader(name, value);
}

function flatHeaders(own: OwnHeaders, { standing, ofCall }: AnswerFrame): FlatHeaders {
  const names = Object.keys(own).map((name) => name.toLowerCase());
  const isReplaced = names.some((name) => standing.names.has(name));
  // Pragma says to HTTP/1.0 what Cache-Control says (RFC 9111 5.4): beside another one it would contradict it.
  if (names.includes("cache-control")) names.push("pragma");
  const kept = ([name]: HeaderPairs[number]) => !names.includes(name.toLowerCase());
  const flat: FlatHeaders = isReplaced ? standing.pairs.filter(kept).flat() : [...standing.flat];
  for (const [name, value] of ofCall) flat.push(name, value);
  for (const [name, value] of Object.entries(own))
    flat.push(name, typeof value === "string" ? value : [...value]);
  return flat;
}

const NONE: OwnHeaders = {};
const VARYING = { Vary: "Accept-Encoding" };

/** Adds Vary to an answer that is compressed only for some callers. */
function varying(own: Answer["headers"]): OwnHeaders {
  if (own === undefined) return VARYING;
  return own.Vary === undefined ? { ...own, ...VARYING } : { ...own, Vary: `${own.Vary}, ${VARYING.Vary}` };
}

function bodyOf(ctx: Context, { json, jsonText, html, content }: Answer): Body | undefined {
  const written = json === undefined ? jsonText : writeJson(json);
  if (written !== undefined) return { type: "application/json; charset=utf-8", bytes: written };
  if (html !== undefined) return { type: "text/html; charset=utf-8", bytes: html };
  if (content === undefined) return undefined;
  // Koa adds the charset to text types.
  ctx.type = content.type;
  return { type: ctx.response.get("Content-Type"), bytes: content.body };
}

/** Statuses whose answers have no length (RFC 9110 section 8.6). */
const WITHOUT_LENGTH: ReadonlySet<number> = new Set([204, 304]);

interface Ending {
  readonly headers: FlatHeaders;
  readonly body: Body | undefined;
  readonly beforeEnd: (() => Promise<void>) | undefined;
}

function end({ req, res }: Context, status: number, ending: Ending): void | Promise<void> {
  const { headers, body, beforeEnd } = ending;
  const { type, bytes = "" } = body ?? {};
  const length = Buffer.byteLength(bytes);
  if (type !== undefined) headers.push("Content-Type", type);
  if (!WITHOUT_LENGTH.has(status)) headers.push("Content-Length", String(length));
  res.writeHead(status, headers);
  // ASCII text is the same in both encodings, and Latin-1 is copied as it is.
  const encoding = length === bytes.length ? "latin1" : "utf8";
  if (beforeEnd !== undefined) {
    // Without a body, Node sends the headers only when told to, or at the end.
    if (req.method === "HEAD" || length === 0) res.flushHeaders();
    res.write(bytes, encoding, (error) => {
      if (!error) noteWritten(res, status);
    });
    return beforeEnd().then(() => void res.end());
  }
  if (req.method === "HEAD") res.end();
  else if (typeof bytes === "string") res.end(bytes, encoding);
  else res.end(bytes);
}
