import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionCount } from "../metrics/connection-metrics.ts";

/**
 * Closes what comes while so many connections are open, before its handshake. `maxConnections` of Node would not do where
 * processes share a port: one that is full hands a connection to the next, and when all are, they do so without end.
 */
export function boundConnections(server: Server, limit: number, count?: ConnectionCount): void {
  let open = 0;
  server.prependListener("connection", (socket: Socket) => {
    if (open >= limit) {
      count?.refused();
      return void socket.destroy();
    }
    open += 1;
    count?.opened();
    socket.once("close", () => {
      open -= 1;
      count?.closed();
    });
  });
}
