import type { Server } from "node:https";
import type { Socket } from "node:net";

/**
 * Closes what comes while so many connections are open, before its handshake. `maxConnections` of Node would not do where
 * processes share a port: one that is full hands a connection to the next, and when all are, they do so without end.
 */
export function boundConnections(server: Server, limit: number): void {
  let open = 0;
  server.prependListener("connection", (socket: Socket) => {
    if (open >= limit) return void socket.destroy();
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
  });
}
