import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Calls of a connection that may wait while one is answered; hardly a client sends even the second one early. */
const MOST_WAITING = 8;

/**
 * Carries out the calls of each connection one after the other, in the order in which they came, as they are answered (RFC
 * 9112 section 9.3.2). Node would begin with all that one packet brings: a few connections could fill the process, and
 * have the database busy with calls that nobody waits for any more. A connection on which too many wait is cut; nothing
 * that waits on a connection that ends is begun.
 */
export function oneAtATime(handle: RequestListener, onTooMany: () => void): RequestListener {
  /** What waits on each connection that has a call under way. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function endCall(socket: Socket): void {
    // One that no longer takes answers gets none: nothing may be done for it either.
    const next = socket.writable ? waiting.get(socket)?.shift() : undefined;
    if (next === undefined) waiting.delete(socket);
    else next();
  }

  return (request, response) => {
    const { socket } = request;
    // It no longer takes answers: nothing may be done for it, as for those that waited there.
    if (!socket.writable) return;
    const begin = () => {
      response.on("close", () => endCall(socket));
      handle(request, response);
    };
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin();
    } else if (queue.length < MOST_WAITING) {
      queue.push(begin);
    } else {
      onTooMany();
      socket.destroy();
    }
  };
}
