import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Most calls of a connection that wait while one is answered; hardly any client sends even a second one early. */
const MOST_WAITING = 8;

/**
 * Runs the calls of each connection one after the other, in order of arrival, as they are answered (RFC 9112 section 9.3.2).
 * Node would start all calls in a packet: a few connections could fill the process and keep the database busy with calls that
 * nobody waits for any more. A connection with too many waiting calls is cut, and calls that wait on a connection that ends
 * never start.
 */
export function oneAtATime(handle: RequestListener, onTooMany: () => void): RequestListener {
  /** Waiting calls of each connection that has a call under way. */
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function endCall(socket: Socket): void {
    // If the connection no longer takes answers, nothing may be done for its waiting calls.
    const next = socket.writable ? waiting.get(socket)?.shift() : undefined;
    if (next === undefined) waiting.delete(socket);
    else next();
  }

  return (request, response) => {
    const { socket } = request;
    // If the connection no longer takes answers, nothing may be done for this call either.
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
