import type { ForwardedFormat } from "../../configuration/edge-configuration.ts";
import type { ForwardedCertificate } from "./forwarded-certificate.ts";
import { parseClientCert } from "./parse-client-cert.ts";
import { parseEnvoyCertificate } from "./parse-envoy-certificate.ts";
import { parseNginxCertificate } from "./parse-nginx-certificate.ts";

/** The header of a format, or two, and how they are read; refuses with a `ForwardedFault`. */
export interface ForwardedHeader {
  readonly certificate: string;
  readonly chain?: string;
  readonly parse: (certificate: string, chain: string | undefined) => ForwardedCertificate;
}

/** The only spellings that are ever believed, and one of them per deployment. */
export const FORWARDED_FORMATS: Readonly<Record<ForwardedFormat, ForwardedHeader>> = {
  rfc9440: { certificate: "Client-Cert", chain: "Client-Cert-Chain", parse: parseClientCert },
  nginx: { certificate: "X-SSL-Client-Cert", parse: parseNginxCertificate },
  envoy: { certificate: "x-forwarded-client-cert", parse: parseEnvoyCertificate },
};
