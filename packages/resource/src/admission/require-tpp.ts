import { CertificateRefusal, type TppVerification } from "@cobs/psd2-certificates";
import type { BlockedParties } from "../endings/ending.ts";
import type { AdmissionNeeds } from "./admission.ts";
import { type Attempt, type OfTpp, refusalOf } from "./attempt.ts";

/**
 * Rows 2 and 3: verifies the presented certificate on every call, with the revocation check that the resource demands.
 * Refuses with any code of psd2-certificates. Throws `RevocationUnavailable` when its revocation status is unavailable.
 */
export async function requireTpp<Needs extends AdmissionNeeds>(
  attempt: Attempt<Needs>,
  verification: TppVerification,
): Promise<OfTpp<Needs>> {
  const { call, needs, now } = attempt;
  try {
    const tpp = await verification.identify(call.presentedCertificate, now, needs.revocation);
    return { call, needs, now, tpp };
  } catch (error) {
    if (!(error instanceof CertificateRefusal)) throw error;
    throw refusalOf(attempt, error.code, error.detail);
  }
}

/**
 * Requires that neither the TPP nor this certificate is on the bank's stop list, as auth knew it a moment ago; refuses with
 * `tpp_blocked` or `certificate_blocked`.
 */
export function requireNotBlocked<A extends OfTpp>(
  attempt: A,
  { organisationIdentifiers, thumbprints }: BlockedParties,
): A {
  const { organisationIdentifier, thumbprint, twinThumbprint } = attempt.tpp;
  if (organisationIdentifiers.has(organisationIdentifier))
    throw refusalOf(attempt, "tpp_blocked", `${organisationIdentifier} is on the stop list`);
  // One certificate may have two forms, which are blocked together.
  if (thumbprints.has(thumbprint) || (twinThumbprint !== undefined && thumbprints.has(twinThumbprint)))
    throw refusalOf(attempt, "certificate_blocked", `${thumbprint} is on the stop list`);
  return attempt;
}

/** Requires the role of the resource in the current certificate (COBS 1.3.1); refuses with `role_missing`. */
export function requireRole<A extends OfTpp>(attempt: A): A {
  const { roles } = attempt.tpp;
  if (roles.includes(attempt.needs.role)) return attempt;
  throw refusalOf(attempt, "role_missing", `the certificate holds ${roles.join(", ")}`);
}
