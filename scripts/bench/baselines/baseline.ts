import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";

/** Settings of a baseline, as JSON on its command line. */
export interface BaselineSettings {
  /** Paths of PEM files: the server's, and the authorities that certify callers. */
  readonly tls: { readonly certificate: string; readonly key: string; readonly authorities: string };
  /** Port on which it listens; 0 is any free port. */
  readonly port: number;
}

/** Reads the settings of this process. */
export function readSettings<Settings extends BaselineSettings>(): Settings {
  return JSON.parse(process.argv[2] ?? "{}");
}

/** Serves over mutual TLS, reports the port to the parent, and ends with it. */
export function serve({ tls, port }: BaselineSettings, handle: RequestListener): void {
  const [cert, key] = [readFileSync(tls.certificate), readFileSync(tls.key)];
  const ca = readFileSync(tls.authorities);
  const server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: false }, handle);
  // Connections stay idle while others are measured.
  server.keepAliveTimeout = 0;
  server.listen(port, "127.0.0.1", () => {
    const address = server.address();
    process.send?.({ port: typeof address === "object" ? address?.port : port });
  });
  process.once("disconnect", () => process.exit());
}
