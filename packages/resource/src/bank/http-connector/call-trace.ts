import { AsyncLocalStorage } from "node:async_hooks";
import { type IncomingCall, presentTraceContext, type Route, readTraceContext } from "@cobs/service-edge";

/** What ties a question to the core system to the call of a TPP that it is asked for. */
export interface CallTrace {
  readonly requestId: string;
  /** Of W3C Trace Context, if the caller sent a well-formed one, or of our own span. */
  readonly traceparent?: string;
  readonly tracestate?: string;
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
  return { requestId, ...presentTraceContext(readTraceContext(exchange.request.headers)) };
}
