import type { RequestListener, Server } from "node:http";
import { createServer } from "node:https";
import type { Duplex } from "node:stream";
import type { ConnectionCount } from "../metrics/connection-metrics.ts";
import { answerProtocolErrors, type ProtocolErrorTerms } from "./answer-protocol-errors.ts";
import { boundConnections } from "./bound-connections.ts";
import { cutStalled } from "./cut-stalled.ts";
import { keepIssuers } from "./keep-issuers.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { followConnections, type OpenConnections } from "./open-connections.ts";
import {
  askForCertificate,
  renewContextWhenChanged,
  type TlsContextOptions,
  tlsContext,
  tlsContextState,
} from "./tls-context.ts";

export type { Authorities, ClientCertificates, KeyPairFiles } from "./tls-context.ts";

/** What a TLS listener is made of. */
export interface TlsListenerOptions extends TlsContextOptions {
  readonly host: string;
  readonly port: number;
  readonly handle: RequestListener;
  /** The body of an answer to bytes that are no HTTP request (400, 408, 431), as JSON text. */
  readonly presentProtocolError: (status: number) => string;
  /** 10,000 unless told otherwise. */
  readonly maxConnections?: number;
  readonly connectionCount?: ConnectionCount;
  /** For tests, which cannot wait as long as a slow caller may take. */
  readonly timeLimits?: TimeLimits;
}

/** How long the parts of a connection may take, in milliseconds; what takes longer is cut at most a second later. */
export interface TimeLimits {
  readonly handshake: number;
  readonly headers: number;
  readonly request: number;
  /** Between two requests. */
  readonly keepAlive: number;
  /** Nothing moves in either direction while a call is under way: the peer does not read its answer. */
  readonly stalled: number;
}

/** An open port: its number, and a way to stop that lets running requests end. */
export interface Listener {
  readonly name: string;
  readonly port: number;
  /** Every answer from now on says that its connection ends with it; calls are still taken. */
  drain(): void;
  /** Stops accepting, closes idle connections, waits for running requests up to `limitMilliseconds`. */
  close(limitMilliseconds: number): Promise<void>;
}

const TIME_LIMITS: TimeLimits = {
  handshake: 10_000,
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  stalled: 40_000,
};
const LIMIT_CHECK_INTERVAL_MILLISECONDS = 1_000;
const MAX_CONNECTIONS = 10_000;
/** Connections that the kernel has made and that wait to be taken; it has a bound of its own (`net.core.somaxconn`). */
const BACKLOG = 4_096;
/** How long the other side of a connection that has ended may take to go. */
const LINGER_MILLISECONDS = 500;
const MAX_HEADER_BYTES = 16_384;

/** What fails before there is a TLS connection is cut: an answer would wait for the end of its handshake for ever. */
function cutFailedHandshakes(server: Server, { name, log, connectionCount }: TlsListenerOptions): void {
  server.prependListener("tlsClientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    socket.destroy();
    if (error.code === "ECONNRESET") return;
    connectionCount?.handshakeFailed();
    log.info({ listener: name, code: error.code }, "handshake failed");
  });
}

/** Where no call had begun, there is no line of one, and none of its figures. */
function tellProtocolErrors({
  name,
  log,
  connectionCount,
}: TlsListenerOptions): ProtocolErrorTerms["onAnswer"] {
  return ({ status, code }) => {
    connectionCount?.protocolError(status);
    log.info({ listener: name, status, code }, "what is no HTTP request was answered");
  };
}

/**
 * OpenSSL leaves behind why it refused the signature of a certificate, and Node takes that for a fault of the connection when
 * the first call comes together with the end of the handshake. Looking at a certificate forgets it: at our own, because that
 * of a stranger can end the process (`unnamed-curves.ts`). What becomes of the caller is for the application.
 */
function forgetRefusedSignatures(server: Server): void {
  server.on("secureConnection", (socket) => {
    if (!socket.authorized) socket.getCertificate();
  });
}

/** Opens an https port with the project's TLS settings, time limits and renewal of its TLS context. */
export async function openTlsListener(options: TlsListenerOptions): Promise<Listener> {
  const limits = options.timeLimits ?? TIME_LIMITS;
  const contextState = await tlsContextState(options);
  const context = tlsContext(options);
  const server = createServer({
    ...context,
    ...askForCertificate(options.clientCertificates),
    handshakeTimeout: limits.handshake,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: LIMIT_CHECK_INTERVAL_MILLISECONDS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Whatever Node is told (`--insecure-http-parser`): two readers of one message could take it for the calls of two TPPs.
    insecureHTTPParser: false,
    // The application refuses a request without Host itself, in the words of its standard.
    requireHostHeader: false,
    ALPNProtocols: ["http/1.1"],
  });
  // Node drops what comes after the 2,000th, without a word: a header sent twice would look like one. Their octets bound them.
  server.maxHeadersCount = 0;
  const connections = followConnections(server);
  boundConnections(server, options.maxConnections ?? MAX_CONNECTIONS, options.connectionCount);
  const stopCutting = cutStalled(connections.busy, limits.stalled);
  // Of the private CA everybody has a certificate directly.
  if (options.clientCertificates.kind === "requested") {
    keepIssuers(server);
    forgetRefusedSignatures(server);
  }
  const { name, log, handle } = options;
  const tellTooMany = () => log.info({ listener: name }, "too many calls wait on a connection");
  server.on("request", oneAtATime(handle, tellTooMany));
  // An expectation that is not understood is no reason to refuse (RFC 9110 section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  cutFailedHandshakes(server, options);
  const onAnswer = tellProtocolErrors(options);
  answerProtocolErrors(server, { connections, present: options.presentProtocolError, onAnswer });
  options.onCertificate?.(context.cert);
  const renewal = renewContextWhenChanged(server, options, { state: contextState, cert: context.cert });
  return listen(server, {
    ...options,
    connections,
    onClose: renewal.stop,
    onClosed: stopCutting,
  });
}

/** Where a listener is to be. */
interface ListenerPlace {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Which variable sets `host`, for who reads the refusal; `LISTEN_HOST` unless told otherwise. */
  readonly hostVariable?: string;
}

/** What is told when a listener closes, and when it has closed. */
interface ClosingHooks {
  readonly onClose?: () => void;
  readonly onClosed?: () => void;
}

/** Starts a prepared server; refuses with `PortTaken` or `CannotListen`. */
export function listen(
  server: Server,
  options: ListenerPlace & ClosingHooks & { readonly connections?: OpenConnections },
): Promise<Listener> {
  const { name, host, port, connections = followConnections(server) } = options;
  const close = closer(server, connections, options);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") reject(new PortTaken(name, host, port));
      else reject(new CannotListen(options, error));
    });
    const drain = connections.endAfterAnswers;
    server.listen({ host, port, backlog: BACKLOG }, () =>
      resolve({ name, port: openPort(server, port), drain, close }),
    );
  });
}

function openPort(server: Server, wanted: number): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : wanted;
}

/** Another process already listens on the port of a listener. */
export class PortTaken extends Error {
  readonly port: number;

  constructor(name: string, host: string, port: number) {
    super(`port ${port} on ${host}, wanted for the ${name} listener, is taken by another process`);
    this.name = "PortTaken";
    this.port = port;
  }
}

const NO_SUCH_ADDRESS: ReadonlySet<string | undefined> = new Set(["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"]);

/** A listener cannot be opened, though nobody has its port. */
class CannotListen extends Error {
  constructor(
    { name, host, port, hostVariable = "LISTEN_HOST" }: ListenerPlace,
    cause: NodeJS.ErrnoException,
  ) {
    const why = NO_SUCH_ADDRESS.has(cause.code)
      ? `${hostVariable} is no address of this machine`
      : cause.message;
    super(`the ${name} listener cannot be opened at ${host}, port ${port}: ${why}`, { cause });
    this.name = "CannotListen";
  }
}

function closer(
  server: Server,
  connections: OpenConnections,
  { onClose, onClosed }: ClosingHooks,
): (limitMilliseconds: number) => Promise<void> {
  return async (limitMilliseconds) => {
    onClose?.();
    connections.endAfterAnswers();
    // Node would cut them without the word of TLS that says so.
    server.closeIdleConnections = connections.endIdle;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const lingering = setTimeout(connections.destroyEnded, LINGER_MILLISECONDS);
    const limit = setTimeout(connections.destroyAll, limitMilliseconds);
    await closed;
    onClosed?.();
    clearTimeout(lingering);
    clearTimeout(limit);
  };
}
