import { CertificateRefusal } from "../certificate-refusal.ts";

/** What is known about the revocation of a certificate when it is reported on; no source is asked for the report. */
export type RevocationStanding =
  | { readonly kind: "not_asked" }
  | { readonly kind: "good"; readonly detail: string }
  /** No source answers: neither good nor revoked. */
  | { readonly kind: "unavailable"; readonly detail: string }
  | {
      readonly kind: "refused";
      readonly code: "revocation_source_missing" | "certificate_revoked";
      readonly detail: string;
    };

/** Refuses with `revocation_source_missing` or `certificate_revoked`. */
export function requireNotRevoked(standing: RevocationStanding): void {
  if (standing.kind === "refused") throw new CertificateRefusal(standing.code, standing.detail);
}

/**
 * Returns what a refusal of the verifier says about revocation, which it checks last: for any earlier refusal it was not
 * asked.
 */
export function standingOfRefusal({
  code,
  detail,
}: {
  readonly code: string;
  readonly detail: string;
}): RevocationStanding {
  return code === "certificate_revoked" || code === "revocation_source_missing"
    ? { kind: "refused", code, detail }
    : { kind: "not_asked" };
}
