import type { IncomingCall } from "@cobs/service-edge";
import { BASIC_CHALLENGE } from "../provider/client-refusal.ts";

/** The `WWW-Authenticate` for a refused client that sent `Authorization`; others get none (RFC 6749 5.2). */
export function basicChallenge(call: Pick<IncomingCall, "header">): string | undefined {
  return call.header("authorization") === undefined ? undefined : BASIC_CHALLENGE;
}
