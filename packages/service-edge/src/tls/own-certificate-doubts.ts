import type { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EdgeConfiguration } from "../configuration/edge-configuration.ts";
import { parseCertificates } from "../configuration/key-files.ts";
import { findOtherTime, findSoonEnd } from "./certificate-time.ts";

type Certificates = readonly X509Certificate[];
type NamedChain = readonly [variable: string, chain: Certificates];

/**
 * Why others may refuse the certificates of a service, each in a sentence for a person: its time, and of those for the bank's
 * own services that no authority has issued them by which this service judges the others.
 */
export function doubtOwnCertificates(
  edge: Pick<EdgeConfiguration, "server" | "bankServer" | "bankClient" | "bankAuthority">,
): readonly string[] {
  const authorities = parseCertificates(edge.bankAuthority, "BANK_AUTHORITY_FILE");
  const server = chainOf("SERVER", readFileSync(edge.server.certificateFile, "utf8"));
  const ofBank = [
    chainOf("BANK", readFileSync(edge.bankServer.certificateFile, "utf8")),
    chainOf("BANK_CLIENT", edge.bankClient.certificate),
  ];
  const ofTime = [server, ...ofBank].flatMap(([variable, chain]) => {
    const why = findOtherTime(chain) ?? findSoonEnd(chain);
    return why === undefined ? [] : [`${variable}: the certificate is ${why}`];
  });
  const strange = ofBank.filter(([, [own, ...above]]) => own && !isUnder(authorities, own, above));
  return [
    ...ofTime,
    ...strange.map(
      ([variable]) => `${variable}: no authority of BANK_AUTHORITY_FILE has issued the certificate`,
    ),
  ];
}

function chainOf(prefix: string, pem: string): NamedChain {
  const variable = `${prefix}_CERTIFICATE_FILE`;
  return [variable, parseCertificates(pem, variable)];
}

/** Whether an authority has issued a certificate, or one of those above it that is itself under an authority. */
function isUnder(authorities: Certificates, certificate: X509Certificate, above: Certificates): boolean {
  const isIssuer = (each: X509Certificate) =>
    certificate.checkIssued(each) && certificate.verify(each.publicKey);
  if (authorities.some(isIssuer)) return true;
  const issuer = above.find(isIssuer);
  const rest = above.filter((each) => each !== issuer);
  return issuer !== undefined && isUnder(authorities, issuer, rest);
}
