import { CertificateRefusal, type TppVerification } from "@cobs/psd2-certificates";
import type { StopList } from "../stop-list/stop-list.ts";
import { type Attempt, type OfTpp, refusalOf } from "./attempt.ts";

/**
 * Rows 2 and 3: verifies the presented certificate anew on every call, as surely as the resource demands; refuses with
 * any code of psd2-certificates. Throws `RevocationUnavailable` when nobody says whether it was revoked.
 */
export async function requireTpp<A extends Attempt>(
  attempt: A,
  verification: TppVerification,
): Promise<OfTpp<A>> {
  const { call, needs, now } = attempt;
  try {
    return { ...attempt, tpp: await verification.identify(call.presentedCertificate, now, needs.revocation) };
  } catch (error) {
    if (!(error instanceof CertificateRefusal)) throw error;
    throw refusalOf(attempt, error.code, error.detail);
  }
}

/**
 * The bank has blocked neither the TPP nor this certificate, as auth knew it a moment ago; refuses with `tpp_blocked`
 * or `certificate_blocked`. Throws when auth cannot be asked.
 */
export async function requireNotBlocked<A extends OfTpp<Attempt>>(
  attempt: A,
  stopList: StopList,
): Promise<A> {
  const { organisationIdentifier, thumbprint, twinThumbprint } = attempt.tpp;
  const { organisationIdentifiers, thumbprints } = await stopList.current();
  if (organisationIdentifiers.has(organisationIdentifier))
    throw refusalOf(attempt, "tpp_blocked", `${organisationIdentifier} is on the stop list`);
  // One certificate may come in two forms, which are blocked together.
  if (thumbprints.has(thumbprint) || (twinThumbprint !== undefined && thumbprints.has(twinThumbprint)))
    throw refusalOf(attempt, "certificate_blocked", `${thumbprint} is on the stop list`);
  return attempt;
}

/** The role that the resource needs must be in the current certificate (COBS 2.11); refuses with `role_missing`. */
export function requireRole<A extends OfTpp<Attempt>>(attempt: A): A {
  const { roles } = attempt.tpp;
  if (roles.includes(attempt.needs.role)) return attempt;
  throw refusalOf(attempt, "role_missing", `the certificate holds ${roles.join(", ")}`);
}
