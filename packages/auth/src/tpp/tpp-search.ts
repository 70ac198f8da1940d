import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { RegisterFinding } from "../tpp-register/register-finding.ts";
import type { KnownTpp } from "./tpp-store.ts";

/** A TPP with everything that the bank knows of it. */
export interface TppFacts extends KnownTpp {
  /** Time since which its certificates have said the same. */
  readonly changedAt: Date;
  /** Number of its current applications. */
  readonly applications: number;
  /** Blocks of the TPP in force; blocks of its certificates are not included. */
  readonly blocks: readonly TppBlock[];
  /** The latest finding in the TPP register; undefined before the first look-up. Days as `2026-08-27`. */
  readonly register:
    | { readonly finding: RegisterFinding; readonly since: string; readonly foundOn: string }
    | undefined;
}

/** A block of a TPP in force. */
export interface TppBlock {
  readonly origin: "operator" | "register";
  readonly reason: string;
  readonly blockedBy: string;
  readonly blockedAt: Date;
}

/** Search for TPPs by a part of the identifier or name, case-insensitive, and page of the result. */
export interface TppQuestion extends PageQuestion<OrganisationIdentifier> {
  readonly search: string | undefined;
}

/** Searches the TPPs that ever showed an accepted certificate to auth, in the order of their identifiers. */
export interface TppSearch {
  list(question: TppQuestion): Promise<readonly TppFacts[]>;
  find(organisation: OrganisationIdentifier): Promise<TppFacts | undefined>;
}
