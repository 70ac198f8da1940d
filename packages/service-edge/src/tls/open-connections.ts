import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of a server and what each is busy with, for ending them without cutting an answer. */
export interface OpenConnections {
  /** Those with a call under way. */
  busy(): Iterable<Socket>;
  /** Whether bytes that could not be read belong to the only request that is under way, or to none. */
  concernsOneCall(socket: object): boolean;
  /** From now on every answer says that its connection ends with it (RFC 9112 section 9.6). */
  endAfterAnswers(): void;
  /** Ends those without a call: with the word of TLS for it, or at once where the handshake is not over. */
  endIdle(): void;
  /** Cuts those that were ended and whose other side has not gone. */
  destroyEnded(): void;
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
  /** By their remote ends too; without those whose handshake is not over. */
  const secured = new Map<string, Socket>();
  /** What is being answered on each, as long as it lives. */
  const answers = new Map<string, Set<ServerResponse>>();
  const ended = new Set<string>();
  let ending = false;

  function forget(remote: string, socket: Socket): void {
    // The same remote end may have come back with another connection by now.
    if (sockets.get(remote) !== socket) return;
    sockets.delete(remote);
    secured.delete(remote);
    answers.delete(remote);
    ended.delete(remote);
  }

  function answersOn(remote: string): Set<ServerResponse> {
    const known = answers.get(remote);
    if (known !== undefined) return known;
    const running = new Set<ServerResponse>();
    answers.set(remote, running);
    return running;
  }

  server.on("connection", (socket: Socket) => {
    if (socket.destroyed) return;
    const remote = remoteOf(socket);
    sockets.set(remote, socket);
    // Those of an earlier connection from the same remote end are not this one's.
    answers.delete(remote);
    socket.once("close", () => forget(remote, socket));
  });
  server.on("secureConnection", (socket: Socket) => void secured.set(remoteOf(socket), socket));
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (ending) response.setHeader("Connection", "close");
    const remote = remoteOf(request.socket);
    const running = answersOn(remote).add(response);
    response.on("close", () => {
      running.delete(response);
      if (!sockets.has(remote)) answers.delete(remote);
    });
  });

  return {
    busy: function* () {
      for (const [remote, socket] of secured) if (answersOn(remote).size > 0) yield socket;
    },
    concernsOneCall: (socket) =>
      [...(answers.get(remoteOf(socket)) ?? [])].every(
        (answer) => !answer.headersSent && !answer.req.complete,
      ),
    endAfterAnswers: () => {
      ending = true;
      for (const answer of [...answers.values()].flatMap((running) => [...running]))
        if (!answer.headersSent) answer.setHeader("Connection", "close");
    },
    endIdle: () => {
      for (const [remote, socket] of sockets) {
        if (answersOn(remote).size > 0) continue;
        ended.add(remote);
        const shown = secured.get(remote);
        if (shown === undefined) socket.destroy();
        else shown.end();
      }
    },
    destroyEnded: () => {
      for (const remote of ended) sockets.get(remote)?.destroy();
    },
    destroyAll: () => {
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}
