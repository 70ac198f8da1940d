import type { RequestListener, Server } from "node:http";
import { createServer } from "node:https";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { ConnectionCount } from "../metrics/connection-metrics.ts";
import { answerProtocolErrors, type ProtocolErrorTerms } from "./answer-protocol-errors.ts";
import { boundConnections, type SharedRoom } from "./bound-connections.ts";
import { cutStalled } from "./cut-stalled.ts";
import { cutWithoutData } from "./cut-without-data.ts";
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

/** Options of a TLS listener. */
export interface TlsListenerOptions extends TlsContextOptions {
  readonly host: string;
  readonly port: number;
  readonly handle: RequestListener;
  /** Returns the body of an answer to bytes that are not an HTTP request (400, 408, 431), as JSON text. */
  readonly presentProtocolError: (status: number) => string;
  /** 10,000 by default. */
  readonly maxConnections?: number;
  /** Room that it shares with other listeners; unlimited by default. */
  readonly sharedRoom?: SharedRoom;
  readonly connectionCount?: ConnectionCount;
  /** For tests, which cannot wait as long as a slow caller may take. */
  readonly timeLimits?: TimeLimits;
}

/** Time limits on the parts of a connection, in milliseconds; a part that takes longer is cut at most a second later. */
export interface TimeLimits {
  readonly handshake: number;
  readonly headers: number;
  readonly request: number;
  /** Time between two requests. */
  readonly keepAlive: number;
  /** Time without movement in either direction while a call is under way: the peer does not read its answer. */
  readonly stalled: number;
  /** Time from the opening of a connection in which a closing listener waits for its first call. */
  readonly firstCall: number;
}

/** An open port: its number, and a way to stop that lets running requests end. */
export interface Listener {
  readonly name: string;
  readonly port: number;
  /** Makes every further answer announce the end of its connection; calls are still accepted. */
  drain(): void;
  /**
   * Stops accepting, closes idle connections, waits for running requests, and shortly for the first request of each new
   * connection, up to `limitMilliseconds`.
   */
  close(limitMilliseconds: number): Promise<void>;
}

const TIME_LIMITS: TimeLimits = {
  handshake: 10_000,
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  stalled: 40_000,
  firstCall: 3_000,
};
const LIMIT_CHECK_INTERVAL_MILLISECONDS = 1_000;
const MAX_CONNECTIONS = 10_000;
/** Most connections waiting to be accepted; the kernel has its own bound (`net.core.somaxconn`). */
const BACKLOG = 4_096;
const MAX_HEADER_BYTES = 16_384;

/** Cuts connections that fail before TLS is established: an answer would wait for the end of the handshake for ever. */
function cutFailedHandshakes(server: Server, { name, log, connectionCount }: TlsListenerOptions): void {
  server.prependListener("tlsClientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    socket.destroy();
    const code = findDistrust(socket) ?? error.code;
    if (code === "ECONNRESET") return;
    connectionCount?.handshakeFailed();
    log.info({ listener: name, code }, "handshake failed");
  });
}

/** Why a caller's certificate was not accepted; Node.js says only that the connection was reset, and so does the caller. */
function findDistrust(socket: Duplex): string | undefined {
  // Node.js has the code here, and not an error as its types say; null if there is none.
  const reason: unknown = socket instanceof TLSSocket ? socket.authorizationError : undefined;
  return typeof reason === "string" ? reason : undefined;
}

/** Reports answers to bytes that are not HTTP, if no call had begun that would be logged and counted. */
function tellProtocolErrors({
  name,
  log,
  connectionCount,
}: TlsListenerOptions): ProtocolErrorTerms["onAnswer"] {
  return ({ status, code }) => {
    connectionCount?.protocolError(status);
    log.info({ listener: name, status, code }, "refused input that could not be read as an HTTP request");
  };
}

/**
 * Clears the error that OpenSSL leaves behind after refusing the signature of a certificate. Node would take it for a fault of
 * the connection when the first call arrives together with the end of the handshake. Reading a certificate clears it: our own,
 * because a stranger's can end the process (`unnamed-curves.ts`). The application decides about the caller.
 */
function forgetRefusedSignatures(server: Server): void {
  server.on("secureConnection", (socket) => {
    if (!socket.authorized) socket.getCertificate();
  });
}

/** Begins to cut callers who take nothing, and those who send no data; returns a function that ends it. */
function watchConnections(
  { busy, established }: OpenConnections,
  { stalled }: TimeLimits,
  { name, log }: TlsListenerOptions,
): () => void {
  const tell = () => log.info({ listener: name }, "a caller sends too much without data");
  const watches = [cutStalled(busy, stalled), cutWithoutData(established, tell)];
  return () => {
    for (const stop of watches) stop();
  };
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
    // Set explicitly, against `--insecure-http-parser`: two readers could take one message for the calls of two TPPs.
    insecureHTTPParser: false,
    // The application itself refuses a request without Host, in the words of its standard.
    requireHostHeader: false,
    ALPNProtocols: ["http/1.1"],
  });
  // Unlimited: Node silently drops headers after the 2,000th, so that a repeated header would look single. Their octets are
  // bounded.
  server.maxHeadersCount = 0;
  const connections = followConnections(server, limits.firstCall);
  const { maxConnections: most = MAX_CONNECTIONS, sharedRoom: shared } = options;
  boundConnections(server, { most, shared }, options.connectionCount);
  const stopWatches = watchConnections(connections, limits, options);
  // The private CA issues every certificate directly, so those have no issuers to read.
  if (options.clientCertificates.kind === "requested") {
    keepIssuers(server);
    forgetRefusedSignatures(server);
  }
  const { name, log, handle } = options;
  const tellTooMany = () => log.info({ listener: name }, "too many calls are waiting on a connection");
  server.on("request", oneAtATime(handle, tellTooMany));
  // An unknown expectation is no reason to refuse (RFC 9110 section 10.1.1).
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
    onClosed: stopWatches,
  });
}

/** Where a listener listens. */
interface ListenerPlace {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Variable that sets `host`, for the reader of a refusal; `LISTEN_HOST` by default. */
  readonly hostVariable?: string;
}

/** Hooks for when a listener closes, and when it has closed. */
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

/** A listener cannot be opened, although its port is free. */
class CannotListen extends Error {
  constructor(
    { name, host, port, hostVariable = "LISTEN_HOST" }: ListenerPlace,
    cause: NodeJS.ErrnoException,
  ) {
    const why = NO_SUCH_ADDRESS.has(cause.code)
      ? `${hostVariable} is not an address of this machine`
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
    // Node would cut idle connections without TLS's closing alert.
    server.closeIdleConnections = connections.endIdle;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const limit = setTimeout(connections.destroyAll, limitMilliseconds);
    await closed;
    onClosed?.();
    clearTimeout(limit);
  };
}
