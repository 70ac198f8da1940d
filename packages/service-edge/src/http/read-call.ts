import type { Context } from "koa";
import type { PresentedCertificate } from "../tls/presented-certificate.ts";
import { readTraceContext } from "../tracing/trace-context.ts";
import type { IncomingCall } from "./call.ts";
import type { CallRecord } from "./call-record.ts";
import { singleHeader } from "./header-values.ts";
import { readJson } from "./read-body.ts";
import type { RequestTarget } from "./read-target.ts";

/** What is known of a call when its route has been found. */
export interface ReadParts {
  readonly record: CallRecord;
  readonly target: RequestTarget;
  readonly parameters: Readonly<Record<string, string>>;
  readonly presentedCertificate: PresentedCertificate | undefined;
}

/** Makes row 1 of a call: what the listener read, before anything is decided. */
export function readCall(
  ctx: Context,
  { record, target, parameters, presentedCertificate }: ReadParts,
  body: unknown,
): IncomingCall {
  const { req: request, res: response } = ctx;
  return {
    requestId: record.requestId,
    callerRequestId: record.callerRequestId,
    method: request.method ?? "",
    path: target.path,
    parameters,
    // Computed now: an object with its own getter gets its own shape, which outlives the call.
    query: new URLSearchParams(target.query),
    header: (name) => singleHeader(request, name),
    body,
    readJson: (keepNumber) => readJson(ctx, keepNumber),
    presentedCertificate,
    remoteAddress: request.socket.remoteAddress ?? "",
    traceContext: readTraceContext(request.headers),
    note: (facts) => void record.facts.push(facts),
    exchange: { request, response },
  };
}
