import type { IncomingMessage } from "node:http";
import { EdgeRefusal } from "./edge-refusal.ts";

/**
 * Refuses with `media_type_unsupported` a body in a transfer coding other than chunked (RFC 9112 section 6.1). Node.js decodes
 * only chunked, so a body that a proxy decodes would be read here undecoded.
 */
export function requireChunkedAlone({ headers }: IncomingMessage): void {
  const coding = headers["transfer-encoding"] ?? "chunked";
  if (coding.toLowerCase() === "chunked") return;
  const message = "no Transfer-Encoding other than chunked is supported";
  throw new EdgeRefusal("media_type_unsupported", message, { path: "Transfer-Encoding" });
}
