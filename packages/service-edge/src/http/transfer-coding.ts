import type { IncomingMessage } from "node:http";
import { EdgeRefusal } from "./edge-refusal.ts";

/**
 * Refuses with `media_type_unsupported` a body in another transfer coding than chunked (RFC 9112 section 6.1). Node.js takes off
 * that one alone: what a proxy unpacks would be read here as it is.
 */
export function requireChunkedAlone({ headers }: IncomingMessage): void {
  const coding = headers["transfer-encoding"] ?? "chunked";
  if (coding.toLowerCase() === "chunked") return;
  const message = "no other Transfer-Encoding than chunked is known";
  throw new EdgeRefusal("media_type_unsupported", message, { path: "Transfer-Encoding" });
}
