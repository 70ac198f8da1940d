/**
 * Audit log of who did what to whom: the bank's record, which nobody can rewrite undetected. This folder owns the entries and how
 * they are appended, sealed into a chain, checked, searched and exported. It does not own which acts are recorded: the code that
 * changes something appends its entry in the transaction of the change.
 */
import type { PsuId } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";

/** The authenticated actor. */
export type Actor =
  | {
      readonly kind: "tpp";
      readonly organisationIdentifier: OrganisationIdentifier;
      readonly certificate: CertificateThumbprint;
    }
  | {
      readonly kind: "operator";
      /** The common name of the certificate. */
      readonly name: string;
      readonly certificate: CertificateThumbprint | undefined;
    }
  | { readonly kind: "psu"; readonly psu: PsuId }
  /** A job or part of this server, by a readable name such as "TPP register"; or a service of the bank, by its name. */
  | { readonly kind: "server"; readonly part: string };

/** One act of an actor, passed along to every entry of what it changes. */
export interface Act {
  readonly actor: Actor;
  /** Our id of the request that the act is part of; undefined for a job. */
  readonly requestId: string | undefined;
  /** The actor's reason in their own words, for the bank only; kept with every entry of the act. */
  readonly note?: string | undefined;
}

/** An act of an operator, as the certificate of the request proves. */
export type OperatorAct = Act & { readonly actor: Extract<Actor, { readonly kind: "operator" }> };
