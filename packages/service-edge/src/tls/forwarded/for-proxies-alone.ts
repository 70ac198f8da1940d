import type { IncomingMessage, RequestListener } from "node:http";
import type { Log } from "../../log/log.ts";
import { commonNameOf } from "../machine-certificate.ts";
import { presentedCertificate } from "../presented-certificate.ts";

/**
 * Admits only the named proxies to a listener that trusts what they say about TPPs. The private CA also certifies other
 * machines of the bank: their connections are closed before any of their requests is read. The proxy then answers 502, which a
 * TPP could do nothing about.
 */
export function forProxiesAlone(
  handle: RequestListener,
  { proxies, log }: { readonly proxies: ReadonlySet<string>; readonly log: Log },
): RequestListener {
  return (request, response) => {
    const name = nameOfPeer(request);
    if (name !== undefined && proxies.has(name)) return handle(request, response);
    log.warn({ commonName: name }, "this caller is not a proxy of PROXY_NAMES; its connection was closed");
    request.socket.destroy();
  };
}

function nameOfPeer({ socket }: IncomingMessage): string | undefined {
  const presented = presentedCertificate(socket);
  return presented?.tlsVerdict === undefined && presented !== undefined ? commonNameOf(presented) : undefined;
}
