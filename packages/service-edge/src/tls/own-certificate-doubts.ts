import type { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EdgeConfiguration } from "../configuration/edge-configuration.ts";
import { parseCertificates } from "../configuration/key-files.ts";
import { findAuthoritiesAbove } from "./authorities-above.ts";
import { findTimeDoubt, type TimeDoubt } from "./certificate-time.ts";

type Certificates = readonly X509Certificate[];
type NamedChain = readonly [variable: string, chain: Certificates];

/**
 * Reasons why others may refuse the certificates of a service, each in a sentence for a person: a certificate is not valid now
 * or expires soon; or, for certificates used between the bank's services, the same is true of the authority that issued it, or
 * none of the authorities by which this service judges the others issued it.
 */
export function doubtOwnCertificates(
  edge: Pick<EdgeConfiguration, "server" | "bankServer" | "bankClient" | "bankAuthority">,
): readonly string[] {
  const authorities = parseCertificates(edge.bankAuthority, "BANK_AUTHORITY_FILE");
  const [variable, chain] = chainOf("SERVER", readFileSync(edge.server.certificateFile, "utf8"));
  const ofBank = [
    chainOf("BANK", readFileSync(edge.bankServer.certificateFile, "utf8")),
    chainOf("BANK_CLIENT", edge.bankClient.certificate),
  ].map(([variable, chain]) => ({ variable, chain, above: findAuthoritiesAbove(chain, authorities) }));
  const ofTime = [{ variable, chain, above: [] }, ...ofBank].flatMap(({ variable, chain, above = [] }) => {
    const doubt = findTimeDoubt(chain, above);
    return doubt === undefined ? [] : [`${variable}: ${presentTimeDoubt(doubt)}`];
  });
  const strange = ofBank.filter(({ above }) => above === undefined);
  return [
    ...ofTime,
    ...strange.map(
      ({ variable }) => `${variable}: the certificate was not issued by an authority in BANK_AUTHORITY_FILE`,
    ),
  ];
}

function chainOf(prefix: string, pem: string): NamedChain {
  const variable = `${prefix}_CERTIFICATE_FILE`;
  return [variable, parseCertificates(pem, variable)];
}

function presentTimeDoubt({ whose, detail }: TimeDoubt): string {
  const issuer = "its authority in BANK_AUTHORITY_FILE, or one above it,";
  return `${whose === "own" ? "the certificate" : issuer} is ${detail}`;
}
