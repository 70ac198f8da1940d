import { X509Certificate } from "node:crypto";
import type { RequestListener } from "node:http";
import type { Clock } from "../clock.ts";
import type { Log } from "../log/log.ts";
import { type PresentedCertificate, presentedCertificate } from "./presented-certificate.ts";

/** Facts that the bank's private CA certified about one of the bank's own machines. */
interface Machine {
  readonly commonName: string | undefined;
  readonly validUntil: Date;
}

const nobody: Machine = { commonName: undefined, validUntil: new Date(0) };
const remembered = new WeakMap<PresentedCertificate, Machine>();

/** Reads a machine's certificate, once per connection. */
function machineOf(presented: PresentedCertificate): Machine {
  const known = remembered.get(presented);
  if (known !== undefined) return known;
  const certificate = new X509Certificate(presented.der);
  // Node.js looks for PEM first, and may find another machine's inside this one's DER.
  if (!certificate.raw.equals(presented.der)) return nobody;
  const machine = { commonName: commonNameIn(certificate), validUntil: new Date(certificate.validTo) };
  remembered.set(presented, machine);
  return machine;
}

/** Returns the only common name in a certificate; undefined if there are none or several. */
export function commonNameIn(certificate: X509Certificate): string | undefined {
  // By attribute: in the subject as one text, an organization name could add lines of its own (U+2028 ends one too).
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === "string" ? CN : undefined;
}

/** Returns the common name of one of the bank's own machines. */
export function commonNameOf(presented: PresentedCertificate): string | undefined {
  return machineOf(presented).commonName;
}

/**
 * Closes the connection of a machine at its first request after its certificate has expired. The handshake checked that only
 * once, and a connection in constant use never ends.
 */
export function whileMachineIsCertified(
  handle: RequestListener,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): RequestListener {
  return (request, response) => {
    const presented = presentedCertificate(request.socket);
    if (presented === undefined || clock.now() <= machineOf(presented).validUntil)
      return handle(request, response);
    log.warn(
      { commonName: commonNameOf(presented) },
      "this caller's certificate has expired, or contains another one; its connection was closed",
    );
    request.socket.destroy();
  };
}
