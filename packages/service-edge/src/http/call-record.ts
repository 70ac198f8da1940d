import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "koa";
import type { Clock } from "../clock.ts";
import type { Log } from "../log/log.ts";
import { CALLER_GONE, type HttpMetrics } from "../metrics/process-metrics.ts";
import { hasBody } from "./read-body.ts";
import type { HeaderPairs } from "./security-headers.ts";

/** Facts about a call for log and metrics, collected while it runs. */
export interface CallRecord {
  readonly requestId: string;
  readonly callerRequestId: string | undefined;
  readonly started: number;
  /** When the whole request had been read; equal to `started` if it has no body, or if nobody read the body. */
  whole: number;
  /** Path of its route, with `:name` parts; `none` before a route is found. */
  route: string;
  /** Facts noted, in order. */
  readonly facts: Readonly<Record<string, unknown>>[];
}

const WRITTEN = Symbol("written");

/** An answer with the status that it had when written, which may be before it ends, or by another application. */
type WrittenAnswer = ServerResponse & { [WRITTEN]?: number };

/** Notes the status with which a call was answered: the end of the answer waits for the rest of the request, or never comes. */
export function noteWritten(response: WrittenAnswer, status: number): void {
  response[WRITTEN] = status;
}

/** Status for log, metrics and traces: 499, which is never sent, if the caller did not wait for its answer. */
export function statusOfCall(response: WrittenAnswer): number {
  return response[WRITTEN] ?? (response.writableFinished ? response.statusCode : CALLER_GONE);
}

const CALLERS_NAME = /^[A-Za-z0-9._:-]{1,60}$/;

/** Whether a text is acceptable as the name of a call; our own names fit too. */
export function isNameOfCall(text: string): boolean {
  return CALLERS_NAME.test(text);
}

/** Reads the caller's name for its call, or for the process that the call is part of (OAS of COBS); undefined if malformed. */
function readCallersName({ headers }: IncomingMessage, header: "x-request-id" | "action-id") {
  const name = headers[header];
  return typeof name === "string" && isNameOfCall(name) ? name : undefined;
}

/** Begins the record of a call. The time that a caller takes to send its request does not count as ours. */
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

/** Headers that return to a call its names. */
export function headersOfCall({ req }: Context, { requestId, callerRequestId }: CallRecord): HeaderPairs {
  const named = ["X-Request-ID", callerRequestId ?? requestId] as const;
  // Ties the calls of one process together (OAS of COBS); a malformed one is not repeated.
  const action = readCallersName(req, "action-id");
  return action === undefined ? [named] : [named, ["Action-ID", action]];
}

/** Reports each call that has ended to the log, in one line, and to the metrics. */
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
    // A caller that has not sent its whole request, or does not read its answer, was not waiting for us.
    if (status === CALLER_GONE && req.complete && !res.headersSent)
      metrics.observeGone({ listener, waitedSeconds: (ended - whole) / 1000 });
    log.info(Object.assign({ requestId }, observed, ...facts), "call");
  };
}
