import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { RegisterFinding } from "../tpp-register/register-finding.ts";
import type { StopListKey } from "./stop-list.ts";
import type { KnownTpp } from "./tpp-store.ts";

/** A TPP with what the bank knows of it. */
export interface TppFacts extends KnownTpp {
  /** Since when its certificates have said the same. */
  readonly changedAt: Date;
  /** How many applications it has now. */
  readonly applications: number;
  /** Who blocks it now; a block of one of its certificates is not among these. */
  readonly blocks: readonly TppBlock[];
  /** What the TPP register said last; undefined before it was looked at. Days as `2026-08-27`. */
  readonly register:
    | { readonly finding: RegisterFinding; readonly since: string; readonly foundOn: string }
    | undefined;
}

/** A block that is in force. */
export interface TppBlock {
  readonly kind: StopListKey["kind"];
  readonly origin: "operator" | "register";
  readonly reason: string;
  readonly blockedBy: string;
  readonly blockedAt: Date;
}

/** Which TPPs are looked for, by a part of the identifier or the name, in whatever case; and which page of them. */
export interface TppQuestion extends PageQuestion<OrganisationIdentifier> {
  readonly search: string | undefined;
}

/** The TPPs that have ever shown an accepted certificate here, in the order of their identifiers. */
export interface TppSearch {
  list(question: TppQuestion): Promise<readonly TppFacts[]>;
  find(organisation: OrganisationIdentifier): Promise<TppFacts | undefined>;
}
