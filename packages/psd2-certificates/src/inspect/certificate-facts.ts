import type { Knowledge } from "../certificate-check.ts";
import { thumbprintOf } from "../certificate-thumbprint.ts";
import { DerFault, membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";
import { readRevocationSources } from "../revocation/revocation-sources.ts";
import { twinThumbprintOf } from "../twin-thumbprint.ts";
import { type Certificate, extensionOids } from "../x509/certificate.ts";
import { presentName } from "../x509/distinguished-name.ts";
import type { CertificateFacts } from "./certificate-report.ts";
import { nameOfOid } from "./known-oids.ts";
import { legible } from "./legible-text.ts";
import { presentKey, presentSignature } from "./present-key.ts";
import { daysUntil, presentTime } from "./present-path.ts";

/** Returns what a certificate says about itself; undefined if it could not be read. */
export function factsOf(known: Partial<Knowledge>, now: Date): CertificateFacts | undefined {
  const { leaf } = known;
  if (leaf === undefined) return undefined;
  return {
    thumbprint: thumbprintOf(leaf.der),
    ...factsOfTwin(leaf, known),
    subject: legible(presentName(leaf.subject)),
    issuer: legible(presentName(leaf.issuer)),
    serialNumber: leaf.serialNumber,
    notBefore: presentTime(leaf.notBefore.getTime()),
    notAfter: presentTime(leaf.notAfter.getTime()),
    daysLeft: daysUntil(leaf.notAfter.getTime(), now),
    key: presentKey(leaf),
    signature: presentSignature(leaf),
    ...factsOfTpp(known),
    policies: readPolicies(leaf).map(nameOfOid),
    ...factsOfRevocation(leaf),
  };
}

function factsOfTwin(leaf: Certificate, { paths = [] }: Partial<Knowledge>) {
  const issuer = paths[0]?.links[0]?.issuer;
  const twinThumbprint = issuer && twinThumbprintOf(leaf, issuer);
  return { ...(twinThumbprint && { twinThumbprint }) };
}

function factsOfTpp({ organisationIdentifier, organisationName, psd2 }: Partial<Knowledge>) {
  return {
    ...(organisationIdentifier && { organisationIdentifier: legible(organisationIdentifier) }),
    ...(organisationName && { organisationName: legible(organisationName) }),
    ...(psd2 && {
      roles: psd2.roles,
      authority: { id: psd2.authority.id, name: legible(psd2.authority.name) },
    }),
  };
}

function factsOfRevocation(leaf: Certificate) {
  const { ocsp, crl } = readRevocationSources(leaf);
  return {
    ocspResponders: ocsp.map(({ href }) => legible(href)),
    crls: crl.map(({ url }) => legible(url.href)),
  };
}

/** Reads certificatePolicies (RFC 5280 4.2.1.4), which decide nothing here; an unreadable extension gives none. */
function readPolicies({ extensions }: Certificate): readonly string[] {
  const extension = extensions.get(extensionOids.certificatePolicies);
  if (extension === undefined) return [];
  try {
    return membersOf(readDer(extension.value), tags.sequence).map((policy) =>
      readOid(membersOf(policy, tags.sequence)[0]),
    );
  } catch (error) {
    if (error instanceof DerFault) return [];
    throw error;
  }
}
