/**
 * Where a listener gets the certificates of TPPs from: their own handshakes, or a proxy that does TLS with them. This folder
 * owns the way from a proxy's header to a presented certificate, and who counts as a proxy. Whether the certificate is any
 * good is decided where that of a direct connection is, by the same checks. Never both sources: a listener that takes
 * certificates from a header looks at its handshakes for proxies alone, and one that does not reads no such header.
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

/** The certificates of TPPs: requested in the handshake, or handed on by a proxy, as configuration says. */
export interface TppCertificates {
  readonly kind: "of-tpps";
  readonly authorities: Authorities;
}

/** What a listener does about certificates. */
export interface CertificateSource {
  /** Who may connect. */
  readonly connections: ClientCertificates;
  readonly presentedCertificate: ReadPresentedCertificate;
  /** Stands before the application. */
  readonly guard: (handle: RequestListener) => RequestListener;
}

/** Whose certificate is looked at in the handshake, and that alone. */
function ofHandshake(connections: ClientCertificates): CertificateSource {
  return {
    connections,
    presentedCertificate: ({ socket }) => presentedCertificate(socket),
    guard: (handle) => handle,
  };
}

/**
 * Ends a connection with its answer when OpenSSL objected to its certificate: the objection would stay with it for ever,
 * though the authorities have become others meanwhile. A new connection is judged by those that are in force.
 */
function endingObjected(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (presentedCertificate(request.socket)?.tlsVerdict !== undefined)
      response.setHeader("Connection", "close");
    handle(request, response);
  };
}

/** Decides it from what the listener wants, the configuration of the process, and the private CA, which certifies proxies. */
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
