import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionCount } from "../metrics/connection-metrics.ts";

/** Room for connections that several listeners share. */
export interface SharedRoom {
  /** Number of connections of all these listeners with which this one is full; another may take more. */
  readonly most: number;
  /** Open connections of all these listeners. */
  readonly taken: { count: number };
}

/** Limits on the open connections of a listener: its own, and one on those that it and others hold together. */
export interface ConnectionLimits {
  readonly most: number;
  readonly shared?: SharedRoom | undefined;
}

/**
 * Closes new connections before their handshake while as many as a limit are open. Node's `maxConnections` does not work if
 * processes share a port: a full process hands the connection to the next, and if all are full they do so without end.
 */
export function boundConnections(
  server: Server,
  { most, shared = { most: Number.POSITIVE_INFINITY, taken: { count: 0 } } }: ConnectionLimits,
  count?: ConnectionCount,
): void {
  let open = 0;
  server.prependListener("connection", (socket: Socket) => {
    if (open >= most || shared.taken.count >= shared.most) {
      count?.refused();
      return void socket.destroy();
    }
    open += 1;
    shared.taken.count += 1;
    count?.opened();
    socket.once("close", () => {
      open -= 1;
      shared.taken.count -= 1;
      count?.closed();
    });
  });
}
