import type { IncomingCall } from "../http/call.ts";
import { presentTraceContext, readTraceContext } from "./trace-context.ts";

/** What is known of the call that a question to another service is asked for. */
export type OnBehalf = Pick<IncomingCall, "requestId"> & Partial<Pick<IncomingCall, "exchange">>;

/**
 * The headers by which another service of the bank can tell for which call it is asked: our request id, and its trace. None for
 * what is asked without a call, by a job.
 */
export function headersOnBehalf(call: OnBehalf | undefined): Readonly<Record<string, string>> {
  if (call === undefined) return {};
  const context = call.exchange && readTraceContext(call.exchange.request.headers);
  return { "x-request-id": call.requestId, ...presentTraceContext(context) };
}
