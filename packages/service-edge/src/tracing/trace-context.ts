import type { IncomingHttpHeaders } from "node:http";

/**
 * A call's position in a trace, as its headers say (W3C Trace Context). The sender may have invented it, so it decides
 * nothing.
 */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** W3C Trace Context 3.2.2: version 00, and ids that are not all zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Section 3.3.1: a longer value may be dropped, and one that is not printable ASCII is invalid. */
const TRACESTATE = /^[\x20-\x7e\t]{1,512}$/;

/** Reads the trace of a call; undefined if it is malformed, or a header is repeated. */
export function readTraceContext(headers: IncomingHttpHeaders): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  const isState = typeof tracestate === "string" && TRACESTATE.test(tracestate);
  return { traceparent, tracestate: isState ? tracestate : undefined };
}

/** Presents the headers that pass a trace on. */
export function presentTraceContext(context: TraceContext | undefined): Readonly<Record<string, string>> {
  if (context === undefined) return {};
  const { traceparent, tracestate } = context;
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
}
