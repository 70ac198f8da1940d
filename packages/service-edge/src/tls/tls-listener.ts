import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "../log/log.ts";
import { TLS_SETTINGS } from "./tls-settings.ts";

/** Who may connect: anybody, anybody who may show a certificate (checked per request), or only holders of one. */
export type ClientCertificates =
  | { readonly kind: "never-asked" }
  | { readonly kind: "requested"; readonly authorities: readonly string[] }
  | { readonly kind: "required"; readonly authorities: readonly string[] };

/** Where a listener's own certificate and key are; they are read again when the files change. */
export interface KeyPairFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface TlsListenerOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly keyPair: KeyPairFiles;
  readonly clientCertificates: ClientCertificates;
  readonly handle: RequestListener;
  /** The body of an answer to bytes that are no HTTP request (400, 408, 431), as JSON text. */
  readonly presentProtocolError: (status: number) => string;
  readonly log: Log;
}

/** An open port: its number, and a way to stop that lets running requests end. */
export interface Listener {
  readonly name: string;
  readonly port: number;
  /** Stops accepting, closes idle connections, waits for running requests up to `limitMilliseconds`. */
  close(limitMilliseconds: number): Promise<void>;
}

const HANDSHAKE_TIMEOUT_MILLISECONDS = 10_000;
const HEADERS_TIMEOUT_MILLISECONDS = 10_000;
const REQUEST_TIMEOUT_MILLISECONDS = 30_000;
const KEEP_ALIVE_TIMEOUT_MILLISECONDS = 65_000;
const RELOAD_INTERVAL_MILLISECONDS = 5_000;
const MAX_CONNECTIONS = 10_000;
const MAX_HEADER_BYTES = 16_384;

function readKeyPair(files: KeyPairFiles): { cert: string; key: string } {
  return { cert: readFileSync(files.certificateFile, "utf8"), key: readFileSync(files.keyFile, "utf8") };
}

function askForCertificate(clients: ClientCertificates) {
  if (clients.kind === "never-asked") return { requestCert: false };
  return { requestCert: true, rejectUnauthorized: clients.kind === "required", ca: [...clients.authorities] };
}

function answerProtocolErrors(server: Server, present: (status: number) => string): void {
  const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
  const reasons: Record<number, string> = {
    400: "Bad Request",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const status = statuses[error.code ?? ""] ?? 400;
    const body = present(status);
    socket.end(
      `HTTP/1.1 ${status} ${reasons[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}

function modifiedAt(files: KeyPairFiles): number {
  return Math.max(statSync(files.certificateFile).mtimeMs, statSync(files.keyFile).mtimeMs);
}

function reloadWhenChanged(
  server: ReturnType<typeof createServer>,
  options: TlsListenerOptions,
): NodeJS.Timeout {
  let seen = modifiedAt(options.keyPair);
  return setInterval(() => {
    try {
      const current = modifiedAt(options.keyPair);
      if (current === seen) return;
      server.setSecureContext({
        ...TLS_SETTINGS,
        ...askForCertificate(options.clientCertificates),
        ...readKeyPair(options.keyPair),
      });
      seen = current;
      options.log.info({ listener: options.name }, "server certificate reloaded");
    } catch (error) {
      options.log.error(
        { listener: options.name, error },
        "server certificate not reloaded; the old one stays",
      );
    }
  }, RELOAD_INTERVAL_MILLISECONDS).unref();
}

/** Opens an https port with the project's TLS settings, time limits and certificate reloading. */
export async function openTlsListener(options: TlsListenerOptions): Promise<Listener> {
  const server = createServer(
    {
      ...TLS_SETTINGS,
      ...askForCertificate(options.clientCertificates),
      ...readKeyPair(options.keyPair),
      handshakeTimeout: HANDSHAKE_TIMEOUT_MILLISECONDS,
      maxHeaderSize: MAX_HEADER_BYTES,
      ALPNProtocols: ["http/1.1"],
    },
    options.handle,
  );
  server.headersTimeout = HEADERS_TIMEOUT_MILLISECONDS;
  server.requestTimeout = REQUEST_TIMEOUT_MILLISECONDS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MILLISECONDS;
  server.maxConnections = MAX_CONNECTIONS;
  answerProtocolErrors(server, options.presentProtocolError);
  const reload = reloadWhenChanged(server, options);
  return listen(server, { ...options, onClose: () => clearInterval(reload) });
}

/** Starts a prepared server; refuses with a sentence that names the port when it is taken. */
export function listen(
  server: Server,
  options: {
    readonly name: string;
    readonly host: string;
    readonly port: number;
    readonly onClose?: () => void;
  },
): Promise<Listener> {
  const { name, host, port } = options;
  const close = closer(server, options.onClose);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new PortTaken(name, host, port) : error);
    });
    server.listen({ host, port }, () => resolve({ name, port: openPort(server, port), close }));
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

function closer(
  server: Server,
  onClose: (() => void) | undefined,
): (limitMilliseconds: number) => Promise<void> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.on("connection", track);
  let closing = false;
  server.on("request", (_request: IncomingMessage, response) => {
    if (closing) response.setHeader("Connection", "close");
  });
  return async (limitMilliseconds) => {
    closing = true;
    onClose?.();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const limit = setTimeout(() => {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    }, limitMilliseconds);
    await closed;
    clearTimeout(limit);
  };
}
