import { CertificateRefusal } from "../certificate-refusal.ts";
import { authorityOf, type OrganisationIdentifier } from "../organisation-identifier.ts";
import type { Psd2Statement } from "./psd2-statement.ts";

/**
 * Refuses with `authority_mismatch`: ETSI TS 119 495 5.2.1 and 5.2.3 describe the same authority twice, so a difference is at
 * best an error of the issuer.
 */
export function requireSameAuthority(identifier: OrganisationIdentifier, { authority }: Psd2Statement): void {
  if (authorityOf(identifier) !== authority.id)
    throw new CertificateRefusal("authority_mismatch", `${identifier} does not match nCAId ${authority.id}`);
}

/** Refuses with `no_tpp_role`: a bank that acts as a third party also has the role for it (EBA-Op-2018-7). */
export function requireTppRole({ roles }: Psd2Statement): void {
  if (!roles.some((role) => role !== "PSP_AS"))
    throw new CertificateRefusal("no_tpp_role", `roles are [${roles.join(", ")}]`);
}
