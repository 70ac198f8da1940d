import type { IncomingMessage, RequestListener } from "node:http";
import type { Log } from "../../log/log.ts";
import { commonNameOf } from "../machine-certificate.ts";
import { presentedCertificate } from "../presented-certificate.ts";

/**
 * Lets only the named proxies through to a listener that believes what they say of TPPs. The private CA certifies other
 * machines of the bank too: their connections are closed before anything is read of their requests. It is the proxy that
 * then answers 502; a TPP could not do anything about it.
 */
export function forProxiesAlone(
  handle: RequestListener,
  { proxies, log }: { readonly proxies: ReadonlySet<string>; readonly log: Log },
): RequestListener {
  return (request, response) => {
    const name = nameOfPeer(request);
    if (name !== undefined && proxies.has(name)) return handle(request, response);
    log.warn({ commonName: name }, "this caller is no proxy of PROXY_NAMES; its connection was closed");
    request.socket.destroy();
  };
}

function nameOfPeer({ socket }: IncomingMessage): string | undefined {
  const presented = presentedCertificate(socket);
  return presented?.tlsVerdict === undefined && presented !== undefined ? commonNameOf(presented) : undefined;
}
