import type { IncomingMessage, RequestListener } from "node:http";
import Koa, { type Context } from "koa";
import type { Clock } from "../clock.ts";
import type { Log } from "../log/log.ts";
import type { HttpMetrics } from "../metrics/process-metrics.ts";
import { type PresentedCertificate, presentedCertificate } from "../tls/presented-certificate.ts";
import type { Answer, HandedOverRoute, Route } from "./call.ts";
import { beginRecord, type CallRecord, callTeller, headersOfCall } from "./call-record.ts";
import { discardRest } from "./discard-rest.ts";
import { EdgeRefusal } from "./edge-refusal.ts";
import { hasBody, readBody } from "./read-body.ts";
import { readCall } from "./read-call.ts";
import { settleTarget } from "./read-target.ts";
import { createRouteTable } from "./route-table.ts";
import { type ResponseKind, type StandingHeaders, securityHeaders } from "./security-headers.ts";
import { type AnswerFrame, setHeaders, writeAnswer } from "./write-answer.ts";

/** What is known of a call that has failed. */
export interface FailedCall {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Path of its route, with `:name` parts; `none` or absent before a route is found. */
  readonly route?: string;
  readonly acceptLanguage: string | undefined;
  /** Holds a choice that the browser keeps; never logged. */
  readonly cookie?: string | undefined;
}

/** The answer for the caller, and facts that only the log may have. */
export interface PresentedError {
  readonly answer: Answer;
  readonly logFacts: Readonly<Record<string, unknown>>;
}

export interface ListenerApplicationOptions {
  readonly name: string;
  readonly routes: readonly (Route | HandedOverRoute)[];
  /**
   * Host header values (host or host:port) that this listener serves. Any other is refused with `host_unknown`, which names
   * the first.
   */
  readonly hosts: readonly string[];
  readonly responses: ResponseKind;
  /** Whether answers are compressed for callers that ask; `write-answer.ts` says where that is safe. */
  readonly compresses?: boolean;
  /** Returns the certificate that a call presents; by default that of its connection. */
  readonly presentedCertificate?: (request: IncomingMessage) => PresentedCertificate | undefined;
  /** The one mapping from a thrown error to an answer. */
  readonly presentError: (error: unknown, call: FailedCall) => PresentedError;
  readonly log: Log;
  readonly metrics: HttpMetrics;
  readonly clock: Clock;
}

/** Errors when the caller is gone, or what it sent is not TLS. */
const CONNECTION_ENDED = /^(?:ECONNRESET|EPIPE|ERR_SSL_\w+)$/;

/** Whether an answer failed because the caller's connection did: not our fault, and the log line of the call reports it. */
export function hasCallerGone({ code = "" }: NodeJS.ErrnoException): boolean {
  return CONNECTION_ENDED.test(code);
}

/** Sent with an answer before the whole request has come, so that its rest cannot be taken for another request. */
const CLOSING = { Connection: "close" };

/** Finds the route of a call and lets it answer, or throws; undefined if another application has written the answer. */
type Handle = (ctx: Context, record: CallRecord, frame: AnswerFrame) => Promise<Answer | undefined>;

function createHandle(options: ListenerApplicationOptions): Handle {
  const { presentedCertificate: certificateOf = ({ socket }) => presentedCertificate(socket) } = options;
  const [routes, hosts] = [createRouteTable(options.routes), new Set(options.hosts)];
  // Not `async`: a promise less stands between the handler and its caller.
  return (ctx, record, frame) => {
    const target = settleTarget(ctx.req, hosts);
    const { route, parameters } = routes.find(ctx.method, target.path);
    record.route = route.path;
    const read = { record, target, parameters, presentedCertificate: certificateOf(ctx.req) };
    if ("handOver" in route) {
      setHeaders(ctx.res, frame);
      return route.handOver(ctx.req, ctx.res, readCall(ctx, read, undefined)).then(() => undefined);
    }
    if (route.body === undefined) return route.handle(readCall(ctx, read, undefined));
    return readBody(ctx, route.body).then((body) => route.handle(readCall(ctx, read, body)));
  };
}

/**
 * Makes one listener's request handler: its routes, the headers of every answer, one log line per call, and one place where
 * everything thrown becomes an answer. An unexpected error never ends the process.
 *
 * Koa calls one function for all of this, because each further layer costs every call another promise.
 */
export function createListenerApplication(options: ListenerApplicationOptions): RequestListener {
  const { clock, log, compresses = false } = options;
  const app = new Koa();
  const [handle, tell] = [createHandle(options), callTeller(options)];
  const protect = securityHeaders(options.responses);
  let standing: StandingHeaders | undefined;

  app.use(async (ctx) => {
    ctx.respond = false;
    const record = beginRecord(ctx, clock);
    ctx.res.on("close", () => tell(ctx, record));
    standing ??= await protect(ctx);
    const frame = { standing, ofCall: headersOfCall(ctx, record), compresses };
    try {
      const answer = await handle(ctx, record, frame);
      if (answer?.facts !== undefined) record.facts.push(answer.facts);
      if (answer !== undefined) await writeAnswer(ctx, answer, frame);
    } catch (error) {
      const { answer, logFacts } = options.presentError(error, failedCall(ctx, record));
      record.facts.push(logFacts);
      await writeFailure(ctx, { ...answer, headers: { ...answer.headers, ...allowOf(error) } }, frame);
    }
  });
  app.on("error", (error: NodeJS.ErrnoException) => {
    if (!hasCallerGone(error)) log.error({ error, listener: options.name }, "response failed");
  });
  return app.callback();
}

function failedCall(ctx: Context, { requestId, route }: CallRecord): FailedCall {
  return {
    requestId,
    method: ctx.method,
    path: ctx.path,
    route,
    acceptLanguage: ctx.get("accept-language") || undefined,
    cookie: ctx.get("cookie") || undefined,
  };
}

/** Adds the methods of the path to the refusal of a method, whatever its presentation (RFC 9110 section 15.5.6). */
function allowOf(error: unknown): Answer["headers"] {
  const isOfMethod = error instanceof EdgeRefusal && error.code === "method_not_allowed";
  return isOfMethod ? { Allow: error.allow.join(", ") } : {};
}

async function writeFailure(ctx: Context, answer: Answer, frame: AnswerFrame): Promise<void> {
  if (ctx.res.headersSent) return void ctx.res.destroy();
  if (ctx.req.complete || !hasBody(ctx.req)) return writeAnswer(ctx, answer, frame);
  const told = { ...answer, headers: { ...answer.headers, ...CLOSING } };
  await writeAnswer(ctx, told, frame, () => discardRest(ctx.req));
}
