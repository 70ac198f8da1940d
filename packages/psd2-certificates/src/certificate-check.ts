/**
 * A check looks at what is known about a certificate, and adds to it or refuses. The verifier stops at the first refusal; an
 * inspection runs every check whose input is known. `certificate-checks.ts` lists the checks in order.
 */
import type { OrganisationIdentifier } from "./organisation-identifier.ts";
import type { CertificationPath } from "./path/certification-path.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";
import type { Psd2Statement } from "./psd2/psd2-statement.ts";
import type { QcStatement } from "./psd2/qc-statements.ts";
import type { RevocationStanding } from "./revocation/revocation-standing.ts";
import type { TrustAnchor } from "./trust-anchors.ts";
import type { Certificate } from "./x509/certificate.ts";
import type { Validity } from "./x509/leaf-requirements.ts";

/** Everything that can be known about a certificate: first the input, then what the checks add. */
export interface Knowledge {
  readonly shown: PresentedCertificate | undefined;
  readonly anchors: readonly TrustAnchor[];
  readonly now: Date;
  readonly revocation: RevocationStanding;
  readonly presented: PresentedCertificate;
  readonly leaf: Certificate;
  readonly validity: Validity;
  readonly paths: readonly CertificationPath[];
  /** Those paths that are valid at the time of the call; the first is preferred. */
  readonly holding: readonly CertificationPath[];
  readonly statements: readonly QcStatement[];
  readonly psd2: Psd2Statement;
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly organisationName: string;
}

/** Names of the checks, for programs. */
export type CheckName =
  | "presented"
  | "well_formed"
  | "path"
  | "validity"
  | "path_in_time"
  | "signature"
  | "key"
  | "critical_extensions"
  | "qc_statements"
  | "qualified"
  | "qc_type"
  | "purpose"
  | "psd2_statement"
  | "organisation_identifier"
  | "organisation_name"
  | "same_authority"
  | "tpp_role"
  | "tls_verdict"
  | "revocation";

/** One check, as it stands in the list. */
export interface CertificateCheck {
  readonly name: CheckName;
  /** Whether all the input of the check is known. */
  readonly canLook: (known: Partial<Knowledge>) => boolean;
  /** Returns what the check adds; throws a `CertificateRefusal`, or a `TypeError` if input is missing. */
  readonly look: (known: Partial<Knowledge>) => Partial<Knowledge>;
}

/** Makes a check that adds knowledge. */
export function learns<Needed extends keyof Knowledge>(
  name: CheckName,
  needs: readonly Needed[],
  learn: (known: Pick<Knowledge, Needed>) => Partial<Knowledge>,
): CertificateCheck {
  return {
    name,
    canLook: (known) => isKnown(known, needs),
    look: (known) => ({ ...known, ...learn(requireKnown(known, needs)) }),
  };
}

/** Makes a check that only refuses. */
export function requires<Needed extends keyof Knowledge>(
  name: CheckName,
  needs: readonly Needed[],
  require: (known: Pick<Knowledge, Needed>) => void,
): CertificateCheck {
  const look = (known: Partial<Knowledge>) => {
    require(requireKnown(known, needs));
    return known;
  };
  return { name, canLook: (known) => isKnown(known, needs), look };
}

/** Runs the checks of a list in order; the first that fails refuses. */
export function passAll(checks: readonly CertificateCheck[], known: Partial<Knowledge>): Partial<Knowledge> {
  return checks.reduce((before, check) => check.look(before), known);
}

/** Narrows to what must be known by now; throws a `TypeError` if it is not, which is a fault of the list. */
export function requireKnown<Needed extends keyof Knowledge>(
  known: Partial<Knowledge>,
  needs: readonly Needed[],
): Pick<Knowledge, Needed> {
  if (!isKnown(known, needs)) throw new TypeError(`not known yet: one of ${needs.join(", ")}`);
  return known;
}

function isKnown<Needed extends keyof Knowledge>(
  known: Partial<Knowledge>,
  needs: readonly Needed[],
): known is Partial<Knowledge> & Pick<Knowledge, Needed> {
  return needs.every((need) => Object.hasOwn(known, need));
}
