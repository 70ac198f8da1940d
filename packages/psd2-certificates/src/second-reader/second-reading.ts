import type { OrganisationIdentifier } from "../organisation-identifier.ts";

/** The second reader's result for a certificate. `detail` is for the log. */
export type SecondReading =
  /** As in the subject; plain text, because this reader checks no form. */
  | { readonly kind: "read"; readonly organisationIdentifier: string }
  /** The reader cannot represent this certificate, which is no fault of the certificate. */
  | { readonly kind: "no_opinion"; readonly detail: string }
  /** It took too long, crashed, was too busy, or could not read a certificate that it should be able to read. */
  | { readonly kind: "failed"; readonly detail: string };

/** The comparison of two readings. Only `agree` and `no_opinion` let a registration continue. */
export type SecondOpinion = {
  readonly verdict: "agree" | "differ" | "no_opinion" | "failed";
  /** For the log. */
  readonly detail: string;
};

/** Compares the verified identity with what the second reader found. */
export function compareReadings(ours: OrganisationIdentifier, second: SecondReading): SecondOpinion {
  if (second.kind !== "read") return { verdict: second.kind, detail: second.detail };
  const { organisationIdentifier } = second;
  return organisationIdentifier === ours
    ? { verdict: "agree", detail: ours }
    : { verdict: "differ", detail: `verified as ${ours}, read as ${JSON.stringify(organisationIdentifier)}` };
}
