import type { OrganisationIdentifier } from "../organisation-identifier.ts";

/** What the second reader says of a certificate. `detail` is for the log. */
export type SecondReading =
  /** As it stands in the subject; a plain text, because this reader judges no form. */
  | { readonly kind: "read"; readonly organisationIdentifier: string }
  /** It cannot represent this certificate, which says nothing against it. */
  | { readonly kind: "no_opinion"; readonly detail: string }
  /** It took too long, crashed, was too busy, or made nothing of a certificate that it should be able to read. */
  | { readonly kind: "failed"; readonly detail: string };

/** What two readings mean together. Only `agree` and `no_opinion` let a registration go on. */
export type SecondOpinion = {
  readonly verdict: "agree" | "differ" | "no_opinion" | "failed";
  /** For the log. */
  readonly detail: string;
};

/** Compares the identity that was verified with what the second reader found. */
export function compareReadings(ours: OrganisationIdentifier, second: SecondReading): SecondOpinion {
  if (second.kind !== "read") return { verdict: second.kind, detail: second.detail };
  const { organisationIdentifier } = second;
  return organisationIdentifier === ours
    ? { verdict: "agree", detail: ours }
    : { verdict: "differ", detail: `${ours} against ${JSON.stringify(organisationIdentifier)}` };
}
