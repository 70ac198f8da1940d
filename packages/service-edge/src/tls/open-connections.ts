import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Established } from "./cut-without-data.ts";

/** The connections of a server and the calls on each, so that they can be ended without cutting an answer. */
export interface OpenConnections {
  /** Connections with a call under way. */
  busy(): Iterable<Socket>;
  /** Connections whose handshake is over. */
  established(): Iterable<Established>;
  /** Calls that have begun on a connection and are not over. */
  callsOn(socket: object): readonly ServerResponse[];
  /** Makes every further answer announce the end of its connection (RFC 9112 section 9.6). */
  endAfterAnswers(): void;
  /**
   * Ends connections without a call: with TLS's closing alert, or at once if the handshake is not over. A new connection has
   * until `firstCallMilliseconds` after its opening, because its caller may have sent a call that has not been read.
   */
  endIdle(): void;
  destroyAll(): void;
}

// A TLS socket and the socket below it are two objects with the same ends. A caller may use one port for two of our addresses.
function endsOf(socket: Partial<Socket>): string {
  const known = knownEnds.get(socket);
  if (known !== undefined) return known;
  const ends = `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress}`;
  knownEnds.set(socket, ends);
  return ends;
}

/** The ends of a socket, fixed for its lifetime. */
const knownEnds = new WeakMap<object, string>();

/** Time that the other side of an ended connection has to close it. */
const LINGER_MILLISECONDS = 500;

/** Follows the connections of a server from before their handshake; hears of a call before its handler does. */
export function followConnections(server: Server, firstCallMilliseconds = 0): OpenConnections {
  const sockets = new Map<string, Socket>();
  /** TLS sockets by their ends, without those whose handshake is not over. */
  const secured = new Map<string, Socket>();
  /** Answers under way on each connection. */
  const answers = new Map<string, Set<ServerResponse>>();
  /** When each connection that has had no call was opened. */
  const unused = new Map<string, number>();
  let ending = false;

  function forget(ends: string, socket: Socket): void {
    // Another connection may have the same ends by now.
    if (sockets.get(ends) !== socket) return;
    sockets.delete(ends);
    secured.delete(ends);
    answers.delete(ends);
    unused.delete(ends);
  }

  function answersOn(ends: string): Set<ServerResponse> {
    const known = answers.get(ends);
    if (known !== undefined) return known;
    const running = new Set<ServerResponse>();
    answers.set(ends, running);
    return running;
  }

  function endUnlessBusy(ends: string, socket: Socket): void {
    if (sockets.get(ends) !== socket || answersOn(ends).size > 0) return;
    const shown = secured.get(ends);
    if (shown === undefined) return void socket.destroy();
    shown.end();
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  }

  server.on("connection", (socket: Socket) => {
    if (socket.destroyed) return;
    const ends = endsOf(socket);
    sockets.set(ends, socket);
    unused.set(ends, performance.now());
    // Drops the answers of an earlier connection with the same ends.
    answers.delete(ends);
    socket.once("close", () => forget(ends, socket));
  });
  server.on("secureConnection", (socket: Socket) => void secured.set(endsOf(socket), socket));
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (ending) response.setHeader("Connection", "close");
    const ends = endsOf(request.socket);
    unused.delete(ends);
    const running = answersOn(ends).add(response);
    response.on("close", () => {
      running.delete(response);
      if (!sockets.has(ends)) answers.delete(ends);
    });
  });

  return {
    busy: function* () {
      for (const [ends, socket] of secured) if (answersOn(ends).size > 0) yield socket;
    },
    established: function* () {
      for (const [ends, secure] of secured) {
        const below = sockets.get(ends);
        if (below !== undefined) yield { secure, below };
      }
    },
    callsOn: (socket) => [...(answers.get(endsOf(socket)) ?? [])],
    endAfterAnswers: () => {
      ending = true;
      for (const answer of [...answers.values()].flatMap((running) => [...running]))
        if (!answer.headersSent) answer.setHeader("Connection", "close");
    },
    endIdle: () => {
      const justOpened = performance.now() - firstCallMilliseconds;
      for (const [ends, socket] of sockets) {
        const waits = (unused.get(ends) ?? justOpened) - justOpened;
        if (waits > 0) setTimeout(endUnlessBusy, waits, ends, socket).unref();
        else endUnlessBusy(ends, socket);
      }
    },
    destroyAll: () => {
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}
