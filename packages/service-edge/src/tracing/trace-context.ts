import type { IncomingHttpHeaders } from "node:http";

/** Where a call stands in a trace, as its headers say (W3C Trace Context). Whoever sends it can make it up: it decides nothing. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** W3C Trace Context 3.2.2: version 00, and ids that are not all zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Section 3.3.1: what is longer may be dropped, and what is no printable ASCII is none. */
const TRACESTATE = /^[\x20-\x7e\t]{1,512}$/;

/** The trace that a call belongs to; undefined without a well-formed one, repeated headers included. */
export function readTraceContext(headers: IncomingHttpHeaders): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  const isState = typeof tracestate === "string" && TRACESTATE.test(tracestate);
  return { traceparent, tracestate: isState ? tracestate : undefined };
}

/** The headers that hand it on. */
export function presentTraceContext(context: TraceContext | undefined): Readonly<Record<string, string>> {
  if (context === undefined) return {};
  const { traceparent, tracestate } = context;
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
}
