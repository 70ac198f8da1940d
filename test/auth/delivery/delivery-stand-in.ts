import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type KeyPairFiles, listen } from "@cobs/service-edge";

/** A text that the bank's delivery service received. */
export interface PostedText {
  readonly headers: IncomingHttpHeaders;
  /** Name in the certificate that the caller presented. */
  readonly caller: string;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A bank's delivery service, over mutual TLS under the private CA. */
export interface DeliveryStandIn {
  readonly url: string;
  readonly posted: readonly PostedText[];
  /** How it reacts to the next texts; a test may change it. */
  react: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Accepts a text. */
export const take = (response: ServerResponse) => response.writeHead(202).end();

/** Starts the service, on a random port unless one is given. */
export async function startDeliveryStandIn(
  keyPair: KeyPairFiles,
  authority: string,
  port = 0,
): Promise<DeliveryStandIn> {
  const posted: PostedText[] = [];
  const server = createServer(
    {
      cert: readFileSync(keyPair.certificateFile),
      key: readFileSync(keyPair.keyFile),
      ca: authority,
      requestCert: true,
      rejectUnauthorized: true,
    },
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { socket, headers, method, url: path } = request;
      const caller = "getPeerCertificate" in socket ? callerOf(socket) : "";
      posted.push({ headers, caller, method, path, body: JSON.parse(Buffer.concat(chunks).toString()) });
      running.react(response);
    },
  );
  const listener = await listen(server, { name: "delivery", host: "127.0.0.1", port });
  const running: DeliveryStandIn = {
    // Two slashes, as when a base URL that ends with a slash is put before a path.
    url: `https://localhost:${listener.port}//texts?bank=1`,
    posted,
    react: take,
    close: () => listener.close(0),
  };
  return running;
}

function callerOf(socket: object): string {
  if (!("getPeerCertificate" in socket) || typeof socket.getPeerCertificate !== "function") return "";
  return String(socket.getPeerCertificate().subject.CN);
}
