import { setTimeout as delay } from "node:timers/promises";
import {
  describeTlsAlert,
  gatherOctets,
  MAX_IDLE_MILLISECONDS,
  openPrivateAgent,
  type PrivateAgent,
} from "@cobs/service-edge";
import { type Dispatcher, errors, request } from "undici";
import { CoreUnavailable } from "../core-unavailable.ts";
import type { CallTrace } from "./call-trace.ts";
import type { CoreSending } from "./core-questions.ts";
import type { CoreSettings } from "./core-settings.ts";

/** A whole answer, not yet believed. */
export interface CoreAnswer {
  readonly status: number;
  /** The value of a header; undefined if it is missing or came more than once. */
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/** One request of the contract; `path` follows the core system's URL. */
export interface CoreRequest {
  readonly path: string;
  /** Undefined sends a GET. */
  readonly sends?: CoreSending | undefined;
  /** The call of a TPP for which it is sent. */
  readonly trace: CallTrace | undefined;
  /** Ends the exchange at any point, and closes its connection. */
  readonly signal: AbortSignal;
}

/** Sends requests over mutual TLS; follows no redirect, asks for no compression. */
export interface CoreExchange {
  /** Refuses with `core_unreachable`, `core_timed_out`, `answer_cut`, `answer_broken` or `answer_too_large`. */
  send(request: CoreRequest): Promise<CoreAnswer>;
  /** Starts no new request on the open connections; requests under way on them may finish. */
  leaveConnections(): void;
  close(): Promise<void>;
}

/** Well above any correct answer: a page has at most a hundred entries, and a PSU a thousand accounts. */
const MAX_ANSWER_OCTETS = 2_097_152;

/** The detail of `core_unreachable` where the core system took the connection and closed it. */
export const ENDED_WITHOUT_ANSWER = "it ended its connection without an answer";

/** Milliseconds between the two tries, random so that a restarting core system does not meet all callers at once. */
const RETRY_PAUSE = { least: 20, most: 120 };

/** How to reach a core system; without an identity this side shows no certificate. */
export type ExchangeSettings = Omit<CoreSettings, "identity"> & Partial<Pick<CoreSettings, "identity">>;

/** Opens the way to a core system, connecting on demand. Throws if certificate and key cannot be used. */
export function openCoreExchange(settings: ExchangeSettings): CoreExchange {
  const agent = openAgent(settings);

  async function tryOnce({ path, sends, trace, signal }: CoreRequest): Promise<CoreAnswer> {
    const url = new URL(settings.url);
    const [pathname = "", search = ""] = path.split("?");
    url.pathname = `${url.pathname.replace(/\/$/, "")}${pathname}`;
    url.search = search;
    const sent = { dispatcher: agent.current(), signal, ...contentOf(sends, headersOf(trace)) };
    const answer = await request(url, sent).catch((cause) => refuseNoAnswer(cause, signal));
    const body = await readBody(answer).catch((cause) => refuseHalfAnswer(cause, signal));
    return { status: answer.statusCode, header: (name) => singleValue(answer.headers[name]), body };
  }

  /**
   * Sends a request, again if it changes nothing and got no answer at all. An order is not sent again: the caller looks it up.
   */
  async function send(wanted: CoreRequest): Promise<CoreAnswer> {
    try {
      return await tryOnce(wanted);
    } catch (error) {
      if (!(error instanceof CoreUnavailable) || error.code !== "core_unreachable") throw error;
      if (wanted.sends?.method === "PUT") throw error;
      await pause(wanted.signal, error);
      return tryOnce(wanted);
    }
  }

  return { send, leaveConnections: agent.leaveConnections, close: agent.destroy };
}

function openAgent({
  timeoutMilliseconds,
  callsAtOnce,
  authority,
  identity,
}: ExchangeSettings): PrivateAgent {
  return openPrivateAgent({
    authority,
    identity,
    connections: callsAtOnce,
    keepAliveMaxTimeout: MAX_IDLE_MILLISECONDS,
    pipelining: 1,
    allowH2: false,
    maxResponseSize: MAX_ANSWER_OCTETS,
    headersTimeout: timeoutMilliseconds,
    bodyTimeout: timeoutMilliseconds,
    connectMilliseconds: timeoutMilliseconds,
  });
}

function headersOf(trace: CallTrace | undefined): Record<string, string> {
  const { requestId, traceparent } = trace ?? {};
  return {
    accept: "application/json, application/problem+json",
    "accept-encoding": "identity",
    ...(requestId !== undefined && { "x-request-id": requestId }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

function contentOf(sends: CoreSending | undefined, headers: Record<string, string>) {
  if (sends === undefined) return { headers };
  const { method, json } = sends;
  return { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(json) };
}

async function pause(signal: AbortSignal, failed: CoreUnavailable): Promise<void> {
  const { least, most } = RETRY_PAUSE;
  await delay(least + Math.random() * (most - least), undefined, { signal }).catch(() => {
    throw failed;
  });
}

function readBody({ body }: Dispatcher.ResponseData): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const octets = gatherOctets();
    body.on("data", octets.add);
    body.on("end", () => resolve(octets.all()));
    body.on("error", reject);
  });
}

function singleValue(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function refuseNoAnswer(cause: unknown, signal: AbortSignal): never {
  if (signal.aborted || cause instanceof errors.HeadersTimeoutError) throw timedOut(cause);
  if (cause instanceof errors.HeadersOverflowError)
    throw new CoreUnavailable("answer_too_large", "its header fields are too large", { cause });
  // Once the answer has announced a length, undici throws the second error for the same fault.
  if (cause instanceof errors.HTTPParserError || cause instanceof errors.ResponseContentLengthMismatchError)
    throw new CoreUnavailable("answer_broken", `it is not HTTP: ${describe(cause)}`, { cause });
  const detail = ENDED_BEFORE_ANSWER.get(sayingOf(cause)) ?? describeTlsAlert(cause) ?? describe(cause);
  throw new CoreUnavailable("core_unreachable", detail, { cause });
}

function refuseHalfAnswer(cause: unknown, signal: AbortSignal): never {
  if (signal.aborted || cause instanceof errors.BodyTimeoutError) throw timedOut(cause);
  if (cause instanceof errors.ResponseExceededMaxSizeError)
    throw new CoreUnavailable("answer_too_large", `it has more than ${MAX_ANSWER_OCTETS} octets`, { cause });
  const isEnded = sayingOf(cause) === CLOSED;
  throw new CoreUnavailable("answer_cut", isEnded ? "it ended its connection midway" : describe(cause), {
    cause,
  });
}

function timedOut(cause: unknown): CoreUnavailable {
  return new CoreUnavailable("core_timed_out", "no complete answer in time", { cause });
}

/** What undici says of a connection that the other side has ended; its other errors of sockets have the same code. */
const CLOSED = "other side closed";

/** Table: why a connection ended before an answer, by what undici says of it. */
const ENDED_BEFORE_ANSWER: ReadonlyMap<string | undefined, string> = new Map([
  [CLOSED, ENDED_WITHOUT_ANSWER],
  ["bad response", "it began its answer with 100 Continue (clause 1.1)"],
  ["bad upgrade", "it switched to another protocol"],
]);

function sayingOf(cause: unknown): string | undefined {
  return cause instanceof errors.SocketError ? cause.message : undefined;
}

/** How undici's parser ends its text about an answer that is not HTTP: with fixed words of its own. */
const WORDS_OF_PARSER = /\(([A-Za-z/,'` -]{1,80})\)$/;

/** What the parser of HTTP objects to, or the code of a network or TLS fault, whose text may repeat outside input. */
function describe(cause: unknown): string {
  if (cause instanceof errors.ResponseContentLengthMismatchError)
    return "its header fields are malformed, or name its length twice";
  const words =
    cause instanceof errors.HTTPParserError ? WORDS_OF_PARSER.exec(cause.message)?.[1] : undefined;
  if (words !== undefined) return words;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && code !== "" ? code : "unknown reason";
}
