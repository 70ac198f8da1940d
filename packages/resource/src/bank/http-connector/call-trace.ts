import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingCall, Route } from "@cobs/service-edge";

/** What ties a question to the core system to the call of a TPP that it is asked for. */
export interface CallTrace {
  readonly requestId: string;
  /** Of W3C Trace Context, if the caller sent a well-formed one. */
  readonly traceparent: string | undefined;
}

/** Knows on whose behalf something runs, without a bank having to be told with each question. */
export interface CallTraces {
  current(): CallTrace | undefined;
  /** The same routes, during whose calls `current` tells them. */
  follow(routes: readonly Route[]): readonly Route[];
}

/** W3C Trace Context 3.2.2: version 00, and ids that are not all zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

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

function traceOf(call: IncomingCall): CallTrace {
  // Not through `header`: it refuses a call for a repeated header, and nobody asked for this one.
  const { traceparent } = call.exchange.request.headers;
  const isWellFormed = typeof traceparent === "string" && TRACEPARENT.test(traceparent);
  return { requestId: call.requestId, traceparent: isWellFormed ? traceparent : undefined };
}
