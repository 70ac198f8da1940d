import type { CheckName, Knowledge } from "../certificate-check.ts";
import { readRevocationSources } from "../revocation/revocation-sources.ts";
import type { Certificate } from "../x509/certificate.ts";
import { presentKey, presentSignature } from "./present-key.ts";
import { presentCriticalExtensions, presentPurpose, presentValues } from "./present-leaf.ts";
import { presentDates, presentIssuerAndAnchors, presentPaths, presentPeriods } from "./present-path.ts";
import {
  presentPsd2Statement,
  presentQcType,
  presentQualification,
  presentStatements,
} from "./present-statements.ts";

type Present = (known: Partial<Knowledge>) => string | undefined;

/**
 * Presents what each check looked at, whether it passed or not. Tolerant where the check is strict: whatever cannot be shown
 * is undefined, and nothing is judged.
 */
export const whatWasFound: Readonly<Record<CheckName, Present>> = {
  presented: ({ shown }) =>
    shown === undefined
      ? "none"
      : `${shown.der.length} octets; authority certificates sent with it: ${shown.intermediates.length}`,
  well_formed: ({ leaf }) =>
    leaf && `version 3, serial number ${leaf.serialNumber}, ${leaf.extensions.size} extensions`,
  path: (known) => presentPaths(known) ?? presentIssuerAndAnchors(known),
  validity: presentDates,
  path_in_time: presentPeriods,
  signature: ({ leaf }) => leaf && presentSignature(leaf),
  key: ({ leaf }) => leaf && presentKey(leaf),
  critical_extensions: ({ leaf }) => leaf && presentCriticalExtensions(leaf),
  qc_statements: presentStatements,
  qualified: presentQualification,
  qc_type: presentQcType,
  purpose: ({ leaf }) => leaf && presentPurpose(leaf),
  psd2_statement: presentPsd2Statement,
  organisation_identifier: ({ leaf }) => leaf && presentValues(leaf, "2.5.4.97"),
  organisation_name: ({ leaf }) => leaf && presentValues(leaf, "2.5.4.10"),
  same_authority: ({ organisationIdentifier, psd2 }) =>
    organisationIdentifier && psd2 && `${organisationIdentifier}, and nCAId ${psd2.authority.id}`,
  tpp_role: ({ psd2 }) => psd2 && (psd2.roles.join(", ") || "no TPP role"),
  tls_verdict: ({ presented }) =>
    presented && (presented.tlsVerdict ?? "no objection from OpenSSL, or OpenSSL was not asked"),
  revocation: presentRevocation,
};

/** Presents the sources of revocation, useful whether or not they were asked. */
function presentRevocation({ revocation, leaf }: Partial<Knowledge>): string | undefined {
  if (revocation === undefined) return undefined;
  return leaf === undefined
    ? presentStanding(revocation)
    : `${presentStanding(revocation)}; ${presentSources(leaf)}`;
}

function presentSources(leaf: Certificate): string {
  const { ocsp, crl } = readRevocationSources(leaf);
  const urls = [...ocsp.map(({ href }) => `OCSP ${href}`), ...crl.map(({ url }) => `CRL ${url.href}`)];
  return urls.length === 0 ? "the certificate names no OCSP responder and no CRL" : urls.join(", ");
}

function presentStanding(standing: Knowledge["revocation"]): string {
  switch (standing.kind) {
    case "not_asked":
      return "not asked";
    case "good":
      return `good: ${standing.detail}`;
    case "unavailable":
      return `no source gave a usable answer: ${standing.detail}`;
    case "refused":
      return standing.detail;
  }
}
