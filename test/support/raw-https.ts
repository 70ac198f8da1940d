import { Agent, type RequestOptions, request } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";

/** An answer, read to its end. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
  /** The body as received. */
  readonly bytes: Buffer;
}

// Shorter than our listeners keep an idle connection, so that no call picks one that the other side is closing.
const KEPT_MILLISECONDS = 2_000;

/** Keeps connections for the next call with the same certificate; destroy it before the server is stopped. */
export function keepConnections(): Agent {
  return new Agent({ keepAlive: true, timeout: KEPT_MILLISECONDS });
}

const contexts = new Map<string, SecureContext>();

/**
 * Node's secure context of authorities, certificate and key. Making one takes longer than a whole call, so calls without other
 * TLS options share it.
 */
function contextOf({ ca, cert, key, ciphers, minVersion, maxVersion }: RequestOptions) {
  if (ciphers !== undefined || minVersion !== undefined || maxVersion !== undefined) return {};
  const files = [ca, cert, key].map(String).join("\n");
  const secureContext = contexts.get(files) ?? createSecureContext({ ca, cert, key });
  contexts.set(files, secureContext);
  return { secureContext };
}

/** Sends one https request exactly as given, without normalising anything. A body may arrive later than the head. */
export function send(options: RequestOptions, body?: string | Buffer | Promise<string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: "localhost", servername: "localhost", agent: false, ...contextOf(options), ...options },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: bytes.toString("utf8"), bytes });
        });
      },
    );
    call.on("error", reject);
    if (!(body instanceof Promise)) return void call.end(body);
    call.flushHeaders();
    body.then((text) => call.end(text), reject);
  });
}
