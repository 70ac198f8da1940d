import { X509Certificate } from "node:crypto";
import type { IncomingCall } from "@cobs/service-edge";

/** The certificate of a call that was proven to show one; a call without is a mistake in the order of our checks. */
export function certificateOf({ presentedCertificate }: IncomingCall): X509Certificate {
  if (presentedCertificate === undefined) throw new TypeError("the call shows no certificate");
  return new X509Certificate(presentedCertificate.der);
}
