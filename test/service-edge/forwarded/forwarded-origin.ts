import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import {
  type ClientCertificateSource,
  type Clock,
  createListenerApplication,
  createMetrics,
  type IncomingCall,
  openTlsListener,
  systemClock,
} from "@cobs/service-edge";
import { certificateSourceOf } from "../../../packages/service-edge/src/tls/forwarded/certificate-source.ts";
import { type RawAnswer, send } from "../../support/raw-https.ts";
import { readableLog } from "../../support/readable-log.ts";
import { testCertificates } from "../../support/test-certificates.ts";

/** A listener for TPPs that answers which certificate it takes a call to present. */
export interface ForwardedOrigin {
  readonly port: number;
  readonly logLines: readonly Record<string, unknown>[];
  /** Calls that reached the application, in order. */
  readonly calls: readonly IncomingCall[];
  /** Calls it over TLS, with the certificate `with` or none. */
  call(
    connection: { readonly cert?: string | Buffer; readonly key?: string | Buffer },
    headers?: Readonly<Record<string, string | string[]>>,
  ): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** Opens one that accepts certificates as configured; the private CA is that of the test certificates. */
export async function openForwardedOrigin(
  source: ClientCertificateSource,
  clock: Clock = systemClock,
): Promise<ForwardedOrigin> {
  const certificates = await testCertificates();
  const { log, lines } = readableLog();
  const calls: IncomingCall[] = [];
  const anchors: { anchors: { certificate: string }[] } = JSON.parse(
    readFileSync(certificates.anchorsFile, "utf8"),
  );
  const authorities = anchors.anchors.map(({ certificate }) => certificate);
  const { connections, presentedCertificate, guard } = certificateSourceOf(
    { kind: "of-tpps", authorities: () => authorities },
    {
      clientCertificateSource: source,
      bankAuthority: readFileSync(certificates.privateCaFile, "utf8"),
    },
    { log, clock },
  );
  const application = createListenerApplication({
    name: "test",
    routes: [
      {
        method: "GET",
        path: "/certificate",
        handle: async (call) => {
          calls.push(call);
          return { status: 200, json: describeCertificate(call) };
        },
      },
    ],
    hosts: ["localhost"],
    responses: "data",
    presentError: () => ({ answer: { status: 500 }, logFacts: {} }),
    presentedCertificate,
    log,
    metrics: createMetrics("test"),
    clock,
  });
  const listener = await openTlsListener({
    name: "test",
    host: "127.0.0.1",
    port: 0,
    keyPair: certificates.server.auth,
    clientCertificates: connections,
    presentProtocolError: (status) => JSON.stringify({ status }),
    handle: guard(application),
    log,
  });
  const ca = readFileSync(certificates.caFile);
  // One kept-alive connection per certificate, to show that no certificate is remembered for it.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    port: listener.port,
    logLines: lines,
    calls,
    call: (connection, headers = {}) =>
      send({
        port: listener.port,
        path: "/certificate",
        ca,
        agent,
        ...connection,
        headers: { host: "localhost", ...headers },
      }),
    close: () => {
      agent.destroy();
      return listener.close(0);
    },
  };
}

/** The thumbprint, or a statement that there is no certificate or that it is unreadable. */
function describeCertificate({ presentedCertificate: presented }: IncomingCall): string {
  if (presented === undefined) return "absent";
  return presented.der.length === 0 ? "unreadable" : hashOf(presented.der);
}

/** How {@link openForwardedOrigin} names a certificate. */
export function hashOf(der: Buffer): string {
  return createHash("sha256").update(der).digest("base64url");
}
