import type { IncomingMessage, ServerResponse } from "node:http";
import type { PresentedCertificate } from "../tls/presented-certificate.ts";
import type { KeepNumber } from "./strict-json.ts";

/** A request, read and bounded but not yet judged: row 1 of every call. */
export interface IncomingCall {
  /** Ours, unique per call; in every log line and every answer. */
  readonly requestId: string;
  /** What the caller named its call (`X-Request-ID`); not unique, but of harmless letters. */
  readonly callerRequestId: string | undefined;
  readonly method: string;
  /** The path as received, without the query. */
  readonly path: string;
  /** Values of `:name` parts of the route's path, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The one value of a header; refuses with `header_repeated` when it came more than once and is no list. */
  header(name: string): string | undefined;
  /** Parsed JSON for a route with body `json`, fields for `form`, else undefined. */
  readonly body: unknown;
  /**
   * Reads the body of a call to a route without `body`: for a handler that judges its caller first. Refuses as a route
   * with body `json`; `keepNumber` as in `parseStrictJson`. Once.
   */
  readJson(keepNumber?: KeepNumber): Promise<unknown>;
  readonly presentedCertificate: PresentedCertificate | undefined;
  /** The peer's address, for limits and the log. */
  readonly remoteAddress: string;
  /** Adds to what the log line of the call says, however the call ends; never sent. */
  note(facts: Readonly<Record<string, unknown>>): void;
  /** The raw exchange. Only the wall around the OAuth provider may use it, which finds its cookies there. */
  readonly exchange: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

/** What a handler returns: a status, headers and at most one kind of body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Serialised as `write-json.ts` says. */
  readonly json?: unknown;
  /** JSON that is written already, as text or in UTF-8. */
  readonly jsonText?: string | Buffer;
  readonly html?: string;
  /** A static asset or a plain text. */
  readonly content?: { readonly type: string; readonly body: string | Buffer };
  /** What the log line of the call says besides; never sent. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** The methods that the standard uses. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One line of a listener's list of routes. Every other path is 404 there, every other method 405. */
export interface Route {
  readonly method: Method;
  /** A path with `:name` parts, e.g. `/cobs/2.0/applications/:id`. */
  readonly path: string;
  /** What the body must be; absent: it is not read, unless the handler does. */
  readonly body?: "json" | "form";
  readonly handle: (call: IncomingCall) => Promise<Answer>;
}

/** A route whose request goes to another HTTP application whole, body unread (the OAuth provider). */
export interface HandedOverRoute {
  readonly method: Method;
  readonly path: string;
  readonly handOver: (
    request: IncomingMessage,
    response: ServerResponse,
    call: IncomingCall,
  ) => Promise<void>;
}
