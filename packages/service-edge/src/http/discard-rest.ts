import type { IncomingMessage } from "node:http";

/** As much as a proxy or a client has sent by the time that the answer reaches it. */
const MOST_OCTETS = 1_048_576;
const LONGEST_MILLISECONDS = 1_000;

/**
 * Reads, for nothing, what is left of a request that is answered already: until it is whole, its caller has gone, or it is too much
 * or too late. A connection that is closed with something unread is reset, which takes the answer from a caller who is
 * still sending (RFC 9112 section 9.6).
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
