import type { IncomingMessage, ServerResponse } from "node:http";
import type { PresentedCertificate } from "../tls/presented-certificate.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { KeepNumber } from "./strict-json.ts";

/** A request, read and bounded but not yet judged: row 1 of every call. */
export interface IncomingCall {
  /** Our unique id of the call; in every log line and every answer. */
  readonly requestId: string;
  /** The caller's own name for its call (`X-Request-ID`); not unique, but of harmless characters. */
  readonly callerRequestId: string | undefined;
  readonly method: string;
  /** The path as received, without the query. */
  readonly path: string;
  /** Values of the `:name` parts of the route's path, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The value of a header; refuses with `header_repeated` if it came more than once and is not a list. */
  header(name: string): string | undefined;
  /** Parsed JSON for a route with body `json`, fields for `form`, otherwise undefined. */
  readonly body: unknown;
  /**
   * Reads the body of a call to a route without `body`, for a handler that judges its caller first. May be called once.
   * Refuses as a route with body `json` does; `keepNumber` as in `parseStrictJson`.
   */
  readJson(keepNumber?: KeepNumber): Promise<unknown>;
  readonly presentedCertificate: PresentedCertificate | undefined;
  /** Address of the peer, for limits and the log. */
  readonly remoteAddress: string;
  /** The trace that the caller's headers name, if they are well-formed. */
  readonly traceContext: TraceContext | undefined;
  /** Adds facts to the log line of the call, however the call ends; they are never sent. */
  note(facts: Readonly<Record<string, unknown>>): void;
  /**
   * The raw exchange, for what the other members leave out. The wall around the OAuth provider finds its cookies there,
   * tracing the end of the answer, and auth the forwarded address, an unread form and the raw query.
   */
  readonly exchange: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

/** What a handler returns: a status, headers and at most one kind of body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Serialised as `write-json.ts` says. */
  readonly json?: unknown;
  /** JSON that is already serialised, as text or in UTF-8. */
  readonly jsonText?: string | Buffer;
  readonly html?: string;
  /** A static asset or a plain text. */
  readonly content?: { readonly type: string; readonly body: string | Buffer };
  /** Further facts for the log line of the call; never sent. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Methods that the standard uses. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One line of a listener's list of routes. Every other path is 404, every other method 405. */
export interface Route {
  readonly method: Method;
  /** A path with `:name` parts, e.g. `/cobs/2.0/applications/:id`. */
  readonly path: string;
  /** Form of the body; if absent, the body is not read unless the handler does so. */
  readonly body?: "json" | "form";
  readonly handle: (call: IncomingCall) => Promise<Answer>;
}

/** A route whose request is handed over whole, with its body unread, to another HTTP application (the OAuth provider). */
export interface HandedOverRoute {
  readonly method: Method;
  readonly path: string;
  readonly handOver: (
    request: IncomingMessage,
    response: ServerResponse,
    call: IncomingCall,
  ) => Promise<void>;
}
