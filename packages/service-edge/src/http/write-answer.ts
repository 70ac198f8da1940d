import type { ServerResponse } from "node:http";
import type { Context } from "koa";
import type { Answer } from "./call.ts";
import { noteWritten } from "./call-record.ts";
import { chooseCoding, encode } from "./content-coding.ts";
import type { HeaderPairs, StandingHeaders } from "./security-headers.ts";
import { writeJson } from "./write-json.ts";

/** What an answer gets beside what its handler gave it. */
export interface AnswerFrame {
  /** Headers of all answers; an answer with one of these names has its own value. */
  readonly standing: StandingHeaders;
  /** Headers of this call. */
  readonly ofCall: HeaderPairs;
  /**
   * Whether answers, refusals too, are compressed for callers who ask for it. Only for listeners whose answers have no
   * secret beside what a stranger can put into them: where one does, its length would tell the secret (CRIME, BREACH). TPPs
   * are programs with certificates of their own; no stranger makes them call, and nothing that they send comes back in a body.
   */
  readonly compresses: boolean;
}

/** Headers as Node takes them together: name and value in turn. */
type FlatHeaders = (string | string[])[];

type OwnHeaders = NonNullable<Answer["headers"]>;

interface Body {
  readonly type: string;
  readonly bytes: string | Buffer;
}

/**
 * Row 10: writes an answer. Status, headers and body go to Node together: a header that is set alone costs a call as much as
 * a check of its certificate. What is done `beforeEnd` is done when all of it is written, and before its connection may be closed.
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

/** Sets what an answer gets that somebody else will write. */
export function setHeaders(response: ServerResponse, { standing, ofCall }: AnswerFrame): void {
  for (const [name, value] of [...standing.pairs, ...ofCall]) response.setHeader(name, value);
}

function flatHeaders(own: OwnHeaders, { standing, ofCall }: AnswerFrame): FlatHeaders {
  const names = Object.keys(own).map((name) => name.toLowerCase());
  const isReplaced = names.some((name) => standing.names.has(name));
  const kept = ([name]: HeaderPairs[number]) => !names.includes(name.toLowerCase());
  const flat: FlatHeaders = isReplaced ? standing.pairs.filter(kept).flat() : [...standing.flat];
  for (const [name, value] of ofCall) flat.push(name, value);
  for (const [name, value] of Object.entries(own))
    flat.push(name, typeof value === "string" ? value : [...value]);
  return flat;
}

const NONE: OwnHeaders = {};
const VARYING = { Vary: "Accept-Encoding" };

/** What is compressed for some depends on who asks. */
function varying(own: Answer["headers"]): OwnHeaders {
  if (own === undefined) return VARYING;
  return own.Vary === undefined ? { ...own, ...VARYING } : { ...own, Vary: `${own.Vary}, ${VARYING.Vary}` };
}

function bodyOf(ctx: Context, { json, jsonText, html, content }: Answer): Body | undefined {
  const written = json === undefined ? jsonText : writeJson(json);
  if (written !== undefined) return { type: "application/json; charset=utf-8", bytes: written };
  if (html !== undefined) return { type: "text/html; charset=utf-8", bytes: html };
  if (content === undefined) return undefined;
  // Koa adds the charset to the types of texts.
  ctx.type = content.type;
  return { type: ctx.response.get("Content-Type"), bytes: content.body };
}

/** Their answers have no length (RFC 9110 section 8.6). */
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
  // ASCII is the same in both, and Latin-1 is copied as it is.
  const encoding = length === bytes.length ? "latin1" : "utf8";
  if (beforeEnd !== undefined) {
    // Node sends the headers of what has no body only when it is told to, or at its end.
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
