import type { IncomingCall } from "../http/call.ts";
import { presentTraceContext } from "./trace-context.ts";

/** What is known of the call for which another service is asked. */
export type OnBehalf = Pick<IncomingCall, "requestId" | "traceContext">;

/**
 * Headers that tell another service of the bank for which call it is asked: our request id, and the call's trace. None if a
 * job asks without a call.
 */
export function headersOnBehalf(call: OnBehalf | undefined): Readonly<Record<string, string>> {
  if (call === undefined) return {};
  return { "x-request-id": call.requestId, ...presentTraceContext(call.traceContext) };
}
