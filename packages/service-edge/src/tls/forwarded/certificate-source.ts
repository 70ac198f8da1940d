/**
 * Where a listener gets the certificates of TPPs from: their own handshakes, or a proxy that does TLS with them. This folder
 * owns the way from a proxy's header to a presented certificate, and decides who counts as a proxy. Whether the certificate is
 * valid is decided by the same checks as for a direct connection. A listener never uses both sources: one that takes
 * certificates from a header uses its handshakes only to recognise proxies, and any other reads no such header.
 */
import type { RequestListener } from "node:http";
import type { Clock } from "../../clock.ts";
import type { ClientCertificateSource } from "../../configuration/edge-configuration.ts";
import type { Log } from "../../log/log.ts";
import type { CountCache } from "../../metrics/cache-metrics.ts";
import { whileMachineIsCertified } from "../machine-certificate.ts";
import { presentedCertificate } from "../presented-certificate.ts";
import type { Authorities, ClientCertificates } from "../tls-listener.ts";
import { forProxiesAlone } from "./for-proxies-alone.ts";
import { FORWARDED_FORMATS } from "./forwarded-formats.ts";
import { type ReadPresentedCertificate, readForwardedCertificate } from "./read-forwarded-certificate.ts";

/** Source of TPP certificates: requested in the handshake, or forwarded by a proxy, as configured. */
export interface TppCertificates {
  readonly kind: "of-tpps";
  readonly authorities: Authorities;
}

/** How a listener obtains and guards certificates. */
export interface CertificateSource {
  /** Which peers may connect. */
  readonly connections: ClientCertificates;
  readonly presentedCertificate: ReadPresentedCertificate;
  /** Wraps the application's handler. */
  readonly guard: (handle: RequestListener) => RequestListener;
}

/** Takes certificates only from the handshake. */
function ofHandshake(connections: ClientCertificates): CertificateSource {
  return {
    connections,
    presentedCertificate: ({ socket }) => presentedCertificate(socket),
    guard: (handle) => handle,
  };
}

/**
 * Ends a connection with its answer if OpenSSL objected to its certificate. The objection would stay with the connection
 * although the authorities may have changed; a new connection is judged by those in force.
 */
function endingObjected(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (presentedCertificate(request.socket)?.tlsVerdict !== undefined)
      response.setHeader("Connection", "close");
    handle(request, response);
  };
}

/**
 * Chooses the source from the needs of the listener, the configuration of the process, and the private CA, which certifies
 * proxies.
 */
export function certificateSourceOf(
  wanted: ClientCertificates | TppCertificates,
  edge: { readonly clientCertificateSource: ClientCertificateSource; readonly bankAuthority: string },
  told: { readonly log: Log; readonly clock: Clock; readonly countCache?: CountCache },
): CertificateSource {
  if (wanted.kind === "required")
    return { ...ofHandshake(wanted), guard: (handle) => whileMachineIsCertified(handle, told) };
  if (wanted.kind !== "of-tpps") return ofHandshake(wanted);
  const source = edge.clientCertificateSource;
  if (source.kind === "tls")
    return { ...ofHandshake({ ...wanted, kind: "requested" }), guard: endingObjected };
  const authorities = [edge.bankAuthority];
  const { format, proxies } = source;
  return {
    connections: { kind: "required", authorities: () => authorities },
    presentedCertificate: readForwardedCertificate(FORWARDED_FORMATS[format], told),
    guard: (handle) => whileMachineIsCertified(forProxiesAlone(handle, { proxies, log: told.log }), told),
  };
}
