/**
 * Who did what to whom: the bank's record, which nobody rewrites unseen. This folder owns the entries, how they are
 * appended, sealed into a chain, checked, searched and exported; it does not own which acts are recorded: whoever changes
 * something appends its entry in the transaction of the change.
 */
import type { PsuId } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";

/** Who acts, as proven. */
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
  /** A job or part of this server, by a name for people, such as "TPP register"; or a service of the bank, by its own. */
  | { readonly kind: "server"; readonly part: string };

/** One act of somebody: what it changes takes it along to its entries. */
export interface Act {
  readonly actor: Actor;
  /** Ours, of the call in which it is done; undefined for a job. */
  readonly requestId: string | undefined;
  /** Why, in the words of who acts: for the bank alone, and kept with every entry of the act. */
  readonly note?: string | undefined;
}

/** An act of a person of the bank, as the certificate of the call proves it. */
export type OperatorAct = Act & { readonly actor: Extract<Actor, { readonly kind: "operator" }> };
