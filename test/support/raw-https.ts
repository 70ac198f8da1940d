import { Agent, type RequestOptions, request } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";

/** What came back, read whole. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
  /** The body as it came. */
  readonly bytes: Buffer;
}

// Shorter than any listener of ours keeps one that nobody uses: none is chosen while the other side closes it.
const KEPT_MILLISECONDS = 2_000;

/** Keeps connections for the next call with the same certificate; to be destroyed before the server is stopped. */
export function keepConnections(): Agent {
  return new Agent({ keepAlive: true, timeout: KEPT_MILLISECONDS });
}

const contexts = new Map<string, SecureContext>();

/**
 * What Node makes of authorities, certificate and key, which takes longer than a whole call: made once for calls that say
 * nothing else of TLS.
 */
function contextOf({ ca, cert, key, ciphers, minVersion, maxVersion }: RequestOptions) {
  if (ciphers !== undefined || minVersion !== undefined || maxVersion !== undefined) return {};
  const files = [ca, cert, key].map(String).join("\n");
  const secureContext = contexts.get(files) ?? createSecureContext({ ca, cert, key });
  contexts.set(files, secureContext);
  return { secureContext };
}

/** One https request, exactly as told; nothing is normalised. A body may come later than what is before it. */
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
