import { decodeCanonicalBase64 } from "./canonical-base64.ts";
import { ForwardedFault } from "./forwarded-certificate.ts";

/** Characters of PEM that nginx and Envoy leave as they are, and the five escapes for the rest, in capitals. */
const ESCAPED = /^(?:[A-Za-z0-9.~_-]|%0A|%20|%2B|%2F|%3D)*$/;
const CERTIFICATE =
  /-----BEGIN CERTIFICATE-----\n((?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/=]{1,64}\n)-----END CERTIFICATE-----(?:\n|$)/y;

/**
 * Decodes URL-encoded PEM as OpenSSL writes it (RFC 7468 section 3): only certificates, with nothing before, between or after
 * them. Returns their DER, at least one. Refuses with a `ForwardedFault`.
 */
export function decodeEscapedPem(text: string, limit: number): readonly [Buffer, ...Buffer[]] {
  if (!ESCAPED.test(text)) throw new ForwardedFault("not URL-encoded PEM");
  const pem = decodeURIComponent(text);
  const certificate = new RegExp(CERTIFICATE);
  const first = readNext(certificate, pem);
  const others: Buffer[] = [];
  while (certificate.lastIndex < pem.length) {
    others.push(readNext(certificate, pem));
    if (others.length === limit) throw new ForwardedFault("too many certificates");
  }
  return [first, ...others];
}

function readNext(certificate: RegExp, pem: string): Buffer {
  const [, lines] = certificate.exec(pem) ?? [];
  if (lines === undefined) throw new ForwardedFault("not PEM with certificates only");
  return decodeCanonicalBase64(lines.replaceAll("\n", ""));
}
