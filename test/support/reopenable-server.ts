import type { RequestListener } from "node:http";
import { createServer, type Server, type ServerOptions } from "node:https";
import { freePort } from "./free-port.ts";

/** A server with mutual TLS on 127.0.0.1 that a test ends and starts again. */
export interface ReopenableServer {
  readonly port: number;
  close(): Promise<void>;
  /** Breaks every connection, as when one of several processes is killed; accepts new ones. */
  breakConnections(): void;
  /** Listens again on its former port. */
  reopen(): Promise<void>;
}

/** Starts the server on a free port. */
export async function startReopenableServer(
  options: ServerOptions,
  listener: RequestListener,
): Promise<ReopenableServer> {
  // A port from the system's ephemeral range could belong to another process when the server reopens.
  const port = await freePort();
  const open = () => listen(createServer(options, listener), port);
  let server = await open();
  return {
    port,
    close: () => close(server),
    breakConnections: () => server.closeAllConnections(),
    reopen: async () => {
      server = await open();
    },
  };
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

const CUT_AGAIN_MILLISECONDS = 50;

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is still in its handshake would appear a moment later, and stay in use for ever.
    const cutting = setInterval(() => server.closeAllConnections(), CUT_AGAIN_MILLISECONDS);
    server.close(() => {
      clearInterval(cutting);
      resolve();
    });
    server.closeAllConnections();
  });
}
