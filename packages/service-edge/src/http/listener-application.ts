import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { finished } from "node:stream/promises";
import Router from "@koa/router";
import Koa, { type Context } from "koa";
import type { Clock } from "../clock.ts";
import type { Log } from "../log/log.ts";
import type { HttpMetrics } from "../metrics.ts";
import { type PresentedCertificate, presentedCertificate } from "../tls/presented-certificate.ts";
import { answerTo } from "./answer-to.ts";
import type { Answer, HandedOverRoute, IncomingCall, Route } from "./call.ts";
import { contentCoding } from "./content-coding.ts";
import { EdgeRefusal } from "./edge-refusal.ts";
import { readBody } from "./read-body.ts";
import { readCall, readCallersName } from "./read-call.ts";
import { settleTarget } from "./read-target.ts";
import { type ResponseKind, securityHeaders } from "./security-headers.ts";

/** What is known of a call when it has failed. */
export interface FailedCall {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The path of its route, with `:name` parts; `none` or absent before one is found. */
  readonly route?: string;
  readonly acceptLanguage: string | undefined;
  /** For a choice that is kept in the browser; never logged. */
  readonly cookie?: string | undefined;
}

/** The answer that the caller gets, and what only the log may know. */
export interface PresentedError {
  readonly answer: Answer;
  readonly logFacts: Readonly<Record<string, unknown>>;
}

export interface ListenerApplicationOptions {
  readonly name: string;
  readonly routes: readonly (Route | HandedOverRoute)[];
  /** Host header values (host or host:port) that this listener serves; anything else is `host_unknown`. */
  readonly hosts: readonly string[];
  readonly responses: ResponseKind;
  /** Whether answers are compressed for callers who ask; `content-coding.ts` says where that is safe. */
  readonly compresses?: boolean;
  /** Whose certificate a call shows; that of its connection, unless told otherwise. */
  readonly presentedCertificate?: (request: IncomingMessage) => PresentedCertificate | undefined;
  /** The one mapping from what was thrown to what is answered. */
  readonly presentError: (error: unknown, call: FailedCall) => PresentedError;
  readonly log: Log;
  readonly metrics: HttpMetrics;
  readonly clock: Clock;
}

/** Stands in log and metrics where the caller did not wait for its answer; never sent. */
const CALLER_GONE = 499;

const CONNECTION_ENDED: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

interface CallRecord {
  readonly requestId: string;
  readonly started: number;
  route: string;
  facts: Readonly<Record<string, unknown>>;
}

function refuseUnmatched(router: Router, ctx: Context): never {
  const allow = [...new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods))];
  if (allow.length === 0) throw new EdgeRefusal("route_unknown", "there is nothing at this path");
  throw new EdgeRefusal("method_not_allowed", `this path allows ${allow.join(", ")}`, { allow });
}

function createRouter(options: ListenerApplicationOptions, records: WeakMap<object, CallRecord>): Router {
  const { presentedCertificate: certificateOf = ({ socket }) => presentedCertificate(socket) } = options;
  const router = new Router({ strict: true, sensitive: true });
  for (const route of options.routes) {
    router.register(route.path, [route.method], async (ctx: Context) => {
      const record = records.get(ctx.req);
      if (record === undefined) throw new TypeError("a route ran outside its listener");
      record.route = route.path;
      const note: IncomingCall["note"] = (facts) => {
        record.facts = { ...record.facts, ...facts };
      };
      const [parameters, presentedCertificate] = [ctx.params ?? {}, certificateOf(ctx.req)];
      const read = { requestId: record.requestId, parameters, presentedCertificate, note };
      if ("handOver" in route) return handOver(route, ctx, readCall(ctx, { ...read, body: undefined }));
      const call: IncomingCall = readCall(ctx, { ...read, body: await readBody(ctx, route.body) });
      const answer = await route.handle(call);
      if (answer.facts !== undefined) note(answer.facts);
      answerTo(ctx, answer);
    });
  }
  return router;
}

async function handOver(route: HandedOverRoute, ctx: Context, call: IncomingCall): Promise<void> {
  await route.handOver(ctx.req, ctx.res, call);
  ctx.respond = false;
  if (!ctx.res.writableEnded) await finished(ctx.res).catch(() => {});
}

/**
 * One listener as a request handler: its list of routes, the headers of every answer, one log line per call, and
 * one place where whatever was thrown becomes an answer. An unexpected error never ends the process.
 */
export function createListenerApplication(options: ListenerApplicationOptions): RequestListener {
  const { clock, log, metrics } = options;
  const app = new Koa();
  const records = new WeakMap<object, CallRecord>();
  const router = createRouter(options, records);

  function record(ctx: Context, { requestId, started, route, facts }: CallRecord): void {
    const observed = {
      listener: options.name,
      method: ctx.method,
      route,
      status: ctx.res.writableFinished ? ctx.res.statusCode : CALLER_GONE,
      seconds: (clock.monotonicMilliseconds() - started) / 1000,
    };
    metrics.observe(observed);
    log.info({ requestId, ...observed, ...facts }, "call");
  }

  function presentFailure(ctx: Context, call: CallRecord, error: unknown): void {
    const presented = options.presentError(error, {
      requestId: call.requestId,
      method: ctx.method,
      path: ctx.path,
      route: call.route,
      acceptLanguage: ctx.get("accept-language") || undefined,
      cookie: ctx.get("cookie") || undefined,
    });
    call.facts = { ...call.facts, ...presented.logFacts };
    if (ctx.res.headersSent) return void ctx.res.destroy();
    ctx.respond = true;
    answerTo(ctx, presented.answer);
    if (!ctx.req.complete) ctx.set("Connection", "close");
  }

  // Around all others, so that refusals are compressed too.
  if (options.compresses === true) app.use(contentCoding());
  app.use(async (ctx, next) => {
    const call = {
      requestId: randomUUID(),
      started: clock.monotonicMilliseconds(),
      route: "none",
      facts: {},
    };
    records.set(ctx.req, call);
    const callerRequestId = readCallersName(ctx, "x-request-id");
    if (callerRequestId !== undefined) call.facts = { callerRequestId };
    ctx.set("X-Request-ID", callerRequestId ?? call.requestId);
    // Ties the calls of one process together (OAS of COBS); a malformed one is not repeated.
    const action = readCallersName(ctx, "action-id");
    if (action !== undefined) ctx.set("Action-ID", action);
    ctx.res.once("close", () => record(ctx, call));
    try {
      await next();
    } catch (error) {
      presentFailure(ctx, call, error);
    }
  });
  app.use(securityHeaders(options.responses));
  app.use(async (ctx, next) => {
    settleTarget(ctx.req, options.hosts);
    await next();
  });
  app.use(router.routes());
  app.use((ctx) => refuseUnmatched(router, ctx));
  app.on("error", (error: NodeJS.ErrnoException) => {
    // That the caller has gone is no fault of ours; the line of its call says so.
    if (!CONNECTION_ENDED.has(error.code ?? ""))
      log.error({ error, listener: options.name }, "response failed");
  });
  return app.callback();
}
