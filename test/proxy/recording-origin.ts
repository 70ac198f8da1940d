import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { listen } from "@cobs/service-edge";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";

/** A service that answers everything and records what a proxy sent. */
export interface RecordingOrigin {
  readonly port: number;
  /** Name and value of each header of the last request, in the order sent. */
  lastHeaders(): readonly (readonly [name: string, value: string])[];
  close(): Promise<void>;
}

/** Opens one that always gives the same answer; by default it requires a certificate of the private CA. */
export async function openRecordingOrigin(
  certificates: SandboxCertificates,
  { answer = "", requestCert = true } = {},
): Promise<RecordingOrigin> {
  const { certificateFile, keyFile } = certificates.server.auth;
  let last: readonly string[] = [];
  const server = createServer(
    {
      cert: readFileSync(certificateFile),
      key: readFileSync(keyFile),
      ca: readFileSync(certificates.privateCaFile),
      requestCert,
      rejectUnauthorized: requestCert,
    },
    (request, response) => {
      last = request.rawHeaders;
      response.end(answer);
    },
  );
  const listener = await listen(server, { name: "recording", host: "127.0.0.1", port: 0 });
  return {
    port: listener.port,
    lastHeaders: () =>
      last.flatMap((name, place) => (place % 2 === 0 ? [[name, last[place + 1] ?? ""] as const] : [])),
    close: () => listener.close(0),
  };
}
