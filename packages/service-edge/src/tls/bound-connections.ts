import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionCount } from "../metrics/connection-metrics.ts";

/**
 * Closes new connections before their handshake while `limit` connections are open. Node's `maxConnections` does not work if
 * processes share a port: a full process hands the connection to the next, and if all are full they do so without end.
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
