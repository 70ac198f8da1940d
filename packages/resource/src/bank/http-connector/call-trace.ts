import { AsyncLocalStorage } from "node:async_hooks";
import type { OnBehalf, Route } from "@cobs/service-edge";

/**
 * Ties a question to the core system to the TPP's call behind it. It has no `tracestate` of the caller: that is text of the
 * TPP's choice, and the core system learns nothing of TPPs (W3C Trace Context 3.5, 6.2).
 */
export interface CallTrace {
  readonly requestId: string;
  /** W3C Trace Context: the caller's if well-formed, or that of our own span. */
  readonly traceparent?: string;
}

/** Knows which call is being served, so that the bank need not be told with each question. */
export interface CallTraces {
  current(): CallTrace | undefined;
  /** Wraps routes so that `current` gives their call while they handle it. */
  follow(routes: readonly Route[]): readonly Route[];
}

/** Creates the store of calls. */
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

function traceOf({ requestId, traceContext }: OnBehalf): CallTrace {
  return { requestId, ...(traceContext && { traceparent: traceContext.traceparent }) };
}
