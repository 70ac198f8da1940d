import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A real server that stands in for a source outside the bank. */
export interface OutsideServer {
  readonly port: number;
  /** Received requests, oldest first. */
  readonly asked: readonly IncomingMessage[];
  /** Number of connections opened so far. */
  readonly connections: number;
  close(): void;
}

/** Opens a server on an address of this machine; `handle` answers its requests. */
export async function openOutsideServer(
  handle: RequestListener,
  address = "127.0.0.1",
): Promise<OutsideServer> {
  const asked: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push(request);
    handle(request, response);
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
  });
  server.listen(0, address);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    get connections() {
      return connections;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
