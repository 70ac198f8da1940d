import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "koa";
import type { Clock } from "../clock.ts";
import type { Log } from "../log/log.ts";
import { CALLER_GONE, type HttpMetrics } from "../metrics/process-metrics.ts";
import { hasBody } from "./read-body.ts";
import type { HeaderPairs } from "./security-headers.ts";

/** What log and metrics learn of a call while it goes on. */
export interface CallRecord {
  readonly requestId: string;
  readonly callerRequestId: string | undefined;
  readonly started: number;
  /** When all of its request had been read; as `started` for one that has no body, or whose body nobody has read. */
  whole: number;
  /** The path of its route, with `:name` parts; `none` before one is found. */
  route: string;
  /** What was noted, in turn. */
  readonly facts: Readonly<Record<string, unknown>>[];
}

const WRITTEN = Symbol("written");

/** An answer, which may have been written whole before it ends, or by somebody else; with the status that it had. */
type WrittenAnswer = ServerResponse & { [WRITTEN]?: number };

/** Notes with which status a call was answered: its end waits for the rest of its request, or never comes. */
export function noteWritten(response: WrittenAnswer, status: number): void {
  response[WRITTEN] = status;
}

/** The status in log, metrics and traces: 499, which is never sent, where the caller did not wait for its answer. */
export function statusOfCall(response: WrittenAnswer): number {
  return response[WRITTEN] ?? (response.writableFinished ? response.statusCode : CALLER_GONE);
}

const CALLERS_NAME = /^[A-Za-z0-9._:-]{1,60}$/;

/** Whether a caller can have named its call so; also what we name one ourselves. */
export function isNameOfCall(text: string): boolean {
  return CALLERS_NAME.test(text);
}

/** What the caller named its call, or the process that the call is part of (OAS of COBS); a malformed name is none. */
function readCallersName({ headers }: IncomingMessage, header: "x-request-id" | "action-id") {
  const name = headers[header];
  return typeof name === "string" && isNameOfCall(name) ? name : undefined;
}

/** Begins the record of a call. How long a caller takes to send it says nothing of us. */
export function beginRecord({ req }: Context, clock: Clock): CallRecord {
  const callerRequestId = readCallersName(req, "x-request-id");
  const facts = callerRequestId === undefined ? [] : [{ callerRequestId }];
  const started = clock.monotonicMilliseconds();
  const record = {
    requestId: randomUUID(),
    callerRequestId,
    started,
    whole: started,
    route: "none",
    facts,
  };
  if (hasBody(req))
    req.once("end", () => {
      record.whole = clock.monotonicMilliseconds();
    });
  return record;
}

/** The headers that give a call its names back. */
export function headersOfCall({ req }: Context, { requestId, callerRequestId }: CallRecord): HeaderPairs {
  const named = ["X-Request-ID", callerRequestId ?? requestId] as const;
  // Ties the calls of one process together (OAS of COBS); a malformed one is not repeated.
  const action = readCallersName(req, "action-id");
  return action === undefined ? [named] : [named, ["Action-ID", action]];
}

/** Tells log and metrics of calls that have ended, in one line each. */
export function callTeller(parts: {
  readonly name: string;
  readonly log: Log;
  readonly metrics: HttpMetrics;
  readonly clock: Clock;
}): (ctx: Context, record: CallRecord) => void {
  const { name: listener, log, metrics, clock } = parts;
  return ({ req, res }, { requestId, started, whole, route, facts }) => {
    const [status, ended] = [statusOfCall(res), clock.monotonicMilliseconds()];
    const seconds = (ended - started) / 1000;
    const observed = { listener, method: req.method ?? "", route, status, seconds };
    metrics.observe(observed);
    // One that has not sent all of its request, or does not read its answer, has not waited for us.
    if (status === CALLER_GONE && req.complete && !res.headersSent)
      metrics.observeGone({ listener, waitedSeconds: (ended - whole) / 1000 });
    log.info(Object.assign({ requestId }, observed, ...facts), "call");
  };
}
