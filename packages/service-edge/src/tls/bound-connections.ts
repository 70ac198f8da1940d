import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionCount } from "../metrics/connection-metrics.ts";

/** Room for connections that several listeners share. */
export interface SharedRoom {
  readonly most: number;
  /** Number of open connections of all these listeners. */
  open: number;
}

/** Limits on the open connections of a listener: its own, and one that it shares with others. */
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
  { most, shared = { most: Number.POSITIVE_INFINITY, open: 0 } }: ConnectionLimits,
  count?: ConnectionCount,
): void {
  let open = 0;
  server.prependListener("connection", (socket: Socket) => {
    if (open >= most || shared.open >= shared.most) {
      count?.refused();
      return void socket.destroy();
    }
    open += 1;
    shared.open += 1;
    count?.opened();
    socket.once("close", () => {
      open -= 1;
      shared.open -= 1;
      count?.closed();
    });
  });
}
