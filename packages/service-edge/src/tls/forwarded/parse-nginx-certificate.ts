import { decodeEscapedPem } from "./escaped-pem.ts";
import type { ForwardedCertificate } from "./forwarded-certificate.ts";

/**
 * Parses what nginx writes as `$ssl_client_escaped_cert`: exactly one certificate, as URL-encoded PEM. nginx has no
 * variable for what the TPP sent along. Refuses with a `ForwardedFault`.
 */
export function parseNginxCertificate(value: string): ForwardedCertificate {
  const [der] = decodeEscapedPem(value, 1);
  return { der, intermediates: [] };
}
