import type { IncomingMessage } from "node:http";

/** As much as a proxy or client may have sent by the time the answer reaches it. */
const MOST_OCTETS = 1_048_576;
const LONGEST_MILLISECONDS = 1_000;

/**
 * Reads and discards the rest of a request that is already answered, until it is complete, the caller is gone, or a limit of
 * size or time is reached. Closing a connection with unread data resets it, and a caller that is still sending would lose the
 * answer (RFC 9112 section 9.6).
 */
export function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let octets = 0;
    const count = (piece: Buffer) => {
      octets += piece.length;
      if (octets > MOST_OCTETS) end();
    };
    const timer = setTimeout(end, LONGEST_MILLISECONDS);
    function end(): void {
      clearTimeout(timer);
      request.off("data", count);
      resolve();
    }
    request.on("data", count).once("end", end).once("close", end).once("error", end).resume();
  });
}
