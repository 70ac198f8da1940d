import { X509Certificate } from "node:crypto";
import type { IncomingCall, PresentedCertificate } from "@cobs/service-edge";

/** Parsed certificates: parsing costs more than the rest of a call, and the calls of a connection present the same one. */
const read = new WeakMap<PresentedCertificate, X509Certificate>();

/** The certificate of a call that was proven to present one. Throws a TypeError otherwise: then our checks are out of order. */
export function certificateOf({ presentedCertificate }: IncomingCall): X509Certificate {
  if (presentedCertificate === undefined) throw new TypeError("the call has no certificate");
  const known = read.get(presentedCertificate);
  if (known !== undefined) return known;
  const certificate = new X509Certificate(presentedCertificate.der);
  read.set(presentedCertificate, certificate);
  return certificate;
}
