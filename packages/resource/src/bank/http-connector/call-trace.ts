import { AsyncLocalStorage } from "node:async_hooks";
import { type IncomingCall, type Route, readTraceContext } from "@cobs/service-edge";

/**
 * What ties a question to the core system to the call of a TPP that it is asked for. The `tracestate` of a caller is not among it:
 * it is text of the TPP's choice, and the core system learns nothing of TPPs (W3C Trace Context 3.5, 6.2).
 */
export interface CallTrace {
  readonly requestId: string;
  /** Of W3C Trace Context, if the caller sent a well-formed one, or of our own span. */
  readonly traceparent?: string;
}

/** Knows on whose behalf something runs, without a bank having to be told with each question. */
export interface CallTraces {
  current(): CallTrace | undefined;
  /** The same routes, during whose calls `current` tells them. */
  follow(routes: readonly Route[]): readonly Route[];
}

/** Begins to follow calls. */
export function followCalls(): CallTraces {
  const storage = new AsyncLocalStorage<CallTrace>();
  return {
    current: () => storage.getStore(),
    follow: (routes) =>
      routes.map((route) => ({
        ...route,
        handle: (call) => storage.run(traceOf(call), () => route.handle(call)),
      })),
  };
}

function traceOf({ requestId, exchange }: IncomingCall): CallTrace {
  const context = readTraceContext(exchange.request.headers);
  return { requestId, ...(context && { traceparent: context.traceparent }) };
}
