import type { ForwardedFormat } from "../../configuration/edge-configuration.ts";
import type { ForwardedCertificate } from "./forwarded-certificate.ts";
import { parseClientCert } from "./parse-client-cert.ts";
import { parseEnvoyCertificate } from "./parse-envoy-certificate.ts";
import { parseNginxCertificate } from "./parse-nginx-certificate.ts";

/** The header or two headers of a format, and their parser, which refuses with a `ForwardedFault`. */
export interface ForwardedHeader {
  readonly certificate: string;
  readonly chain?: string;
  readonly parse: (certificate: string, chain: string | undefined) => ForwardedCertificate;
}

/** The only formats that are trusted, one per deployment. */
export const FORWARDED_FORMATS: Readonly<Record<ForwardedFormat, ForwardedHeader>> = {
  rfc9440: { certificate: "Client-Cert", chain: "Client-Cert-Chain", parse: parseClientCert },
  nginx: { certificate: "X-SSL-Client-Cert", parse: parseNginxCertificate },
  envoy: { certificate: "x-forwarded-client-cert", parse: parseEnvoyCertificate },
};
