import { X509Certificate } from "node:crypto";
import type { PresentedCertificate } from "./presented-certificate.ts";

const remembered = new WeakMap<PresentedCertificate, string | undefined>();

/** The common name that the bank's private CA certified for one of the bank's own machines, read once per connection. */
export function commonNameOf(presented: PresentedCertificate): string | undefined {
  if (!remembered.has(presented)) remembered.set(presented, readCommonName(presented));
  return remembered.get(presented);
}

function readCommonName({ der }: PresentedCertificate): string | undefined {
  return /^CN=(.+)$/m.exec(new X509Certificate(der).subject)?.[1];
}
