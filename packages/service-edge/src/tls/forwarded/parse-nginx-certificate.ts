import { decodeEscapedPem } from "./escaped-pem.ts";
import type { ForwardedCertificate } from "./forwarded-certificate.ts";

/**
 * Parses nginx's `$ssl_client_escaped_cert`: exactly one certificate, as URL-encoded PEM. nginx has no variable for the other
 * certificates that the TPP sent. Refuses with a `ForwardedFault`.
 */
export function parseNginxCertificate(value: string): ForwardedCertificate {
  const [der] = decodeEscapedPem(value, 1);
  return { der, intermediates: [] };
}
