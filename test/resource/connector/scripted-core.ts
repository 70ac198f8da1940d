import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import type { KeyPairFiles } from "@cobs/service-edge";
import { freePort } from "../../support/free-port.ts";
import { testCertificates } from "../../support/test-certificates.ts";

/** A core system's reaction to a request. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A received question, with its headers. */
export type AskedQuestion = Pick<IncomingMessage, "url" | "headers">;

/** A core system over mutual TLS that does what a test tells it. */
export interface ScriptedCore {
  readonly url: URL;
  readonly asked: readonly AskedQuestion[];
  readonly openSockets: () => number;
  behave(behaviour: Behaviour): void;
  /** Stops listening on its port. */
  die(): Promise<void>;
  /** Listens again on the same port. */
  rise(): Promise<void>;
}

/** Starts a core system. With another key pair or authority, resource must not trust it, or it does not trust resource. */
export async function startScriptedCore(
  changed: {
    readonly keyPair?: KeyPairFiles;
    readonly authorityFile?: string;
    readonly asksForCertificate?: boolean;
    readonly takesAnyCertificate?: boolean;
  } = {},
): Promise<ScriptedCore> {
  const { server: servers, privateCaFile } = await testCertificates();
  const { certificateFile, keyFile } = changed.keyPair ?? servers.resourceBank;
  const tls = {
    cert: readFileSync(certificateFile),
    key: readFileSync(keyFile),
    ca: readFileSync(changed.authorityFile ?? privateCaFile),
    requestCert: changed.asksForCertificate ?? true,
    rejectUnauthorized: changed.takesAnyCertificate !== true,
  };
  const sockets = new Set<Socket>();
  const asked: AskedQuestion[] = [];
  let behave: Behaviour = (_request, response) => void response.writeHead(500).end();

  function open(port: number): Promise<Server> {
    const server = createServer({ ...tls, keepAliveTimeout: 65_000 }, (request, response) => {
      asked.push({ url: request.url, headers: request.headers });
      response.on("error", () => undefined);
      behave(request, response);
    });
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    });
    server.on("tlsClientError", () => undefined);
    server.listen(port, "127.0.0.1");
    return once(server, "listening").then(() => server);
  }

  // A port from the system's ephemeral range could belong to another process when the core system rises again.
  const port = await freePort();
  let server = await open(port);

  return {
    url: new URL(`https://localhost:${port}`),
    asked,
    openSockets: () => sockets.size,
    behave: (next) => {
      behave = next;
    },
    die: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    rise: async () => {
      server = await open(port);
    },
  };
}

/** The beginning of an answer that ends when its connection does (RFC 9112 section 6.3). */
export const UNBOUNDED = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";

/** Answers with a JSON document. */
export function answering(document: unknown, status = 200): Behaviour {
  const type = status === 200 ? "application/json" : "application/problem+json";
  return (_request, response) =>
    void response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(document));
}
