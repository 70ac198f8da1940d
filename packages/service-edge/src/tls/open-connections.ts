import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of a server and what each is busy with, for ending them without cutting an answer. */
export interface OpenConnections {
  /** Whether bytes that could not be read belong to the only request that is under way, or to none. */
  concernsOneCall(socket: object): boolean;
  /** No connection outlives its present call; those without one end now, half-made ones too. */
  endAfterCalls(): void;
  destroyAll(): void;
}

// A TLS socket and the one below it are two objects with one remote end.
function remoteOf(socket: Partial<Socket>): string {
  const known = remotes.get(socket);
  if (known !== undefined) return known;
  const remote = `${socket.remoteAddress} ${socket.remotePort}`;
  remotes.set(socket, remote);
  return remote;
}

/** It stays the same as long as a connection lives. */
const remotes = new WeakMap<object, string>();

/** Follows the connections of a server from before their handshake; is told of a call before whoever answers it. */
export function followConnections(server: Server): OpenConnections {
  const sockets = new Map<string, Socket>();
  const answers = new Map<string, Set<ServerResponse>>();
  let ending = false;

  server.on("connection", (socket: Socket) => {
    const remote = remoteOf(socket);
    sockets.set(remote, socket);
    socket.once("close", () => {
      // The same remote end may have come back with another connection by now.
      if (sockets.get(remote) === socket) sockets.delete(remote);
    });
  });
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (ending) response.setHeader("Connection", "close");
    const remote = remoteOf(request.socket);
    const running = answers.get(remote) ?? new Set();
    answers.set(remote, running.add(response));
    response.once("close", () => {
      running.delete(response);
      if (running.size === 0 && answers.get(remote) === running) answers.delete(remote);
    });
  });

  return {
    concernsOneCall: (socket) =>
      [...(answers.get(remoteOf(socket)) ?? [])].every(
        (answer) => !answer.headersSent && !answer.req.complete,
      ),
    endAfterCalls: () => {
      ending = true;
      for (const [remote, socket] of sockets) if (!answers.has(remote)) socket.destroy();
      for (const answer of [...answers.values()].flatMap((running) => [...running]))
        if (!answer.headersSent) answer.setHeader("Connection", "close");
    },
    destroyAll: () => {
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}
