import type { ApplicationId, ApplicationRegistration, Scope } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { RegisteredApplication } from "./application.ts";

/** How many applications one TPP may have at a time. */
export const MAX_APPLICATIONS_PER_TPP = 100;

/** A registration whose scopes are decided. */
export type DecidedRegistration = ApplicationRegistration & { readonly scopes: readonly Scope[] };

/** An application that is about to be stored, with the SHA-256 of its secret (base64url); null when it has none. */
export interface NewApplication {
  readonly id: ApplicationId;
  readonly owner: OrganisationIdentifier;
  readonly registration: DecidedRegistration;
  readonly secretHash: string | null;
}

/** An application with what its secret is compared with, when it has one. */
export interface ApplicationCredentials {
  readonly application: RegisteredApplication;
  readonly secretHash: string | null;
}

/** Which application a TPP means: one that it owns, or none. */
export interface OwnedApplicationId {
  readonly owner: OrganisationIdentifier;
  readonly id: ApplicationId;
}

/**
 * The registered applications. Ids are never used twice: a deleted application keeps its row, without its data.
 * Every method that takes an owner treats a foreign application exactly as an unknown one: undefined or false.
 * Two calls at once end in the result of one of them, never in a mixture. What is replaced or removed is told in the event
 * feed, in the same transaction.
 */
export interface ApplicationStore {
  /** Stores a new application; false when its owner already has as many as it may have. */
  register(application: NewApplication): Promise<boolean>;
  /**
   * Replaces what was registered by what `decide` makes of it; nobody changes the application between the two. Consents
   * that need a scope which is gone end with it, and so does the secret of one that no longer authenticates with it, in
   * one transaction. What `decide` throws changes nothing.
   */
  replace(
    which: OwnedApplicationId,
    decide: (current: RegisteredApplication) => DecidedRegistration,
  ): Promise<RegisteredApplication | undefined>;
  /** Replaces the secret; from this moment the old one is worth nothing. False also for an application without one. */
  renewSecret(which: OwnedApplicationId, secretHash: string): Promise<boolean>;
  /** Ends the application with its consents, grants, codes and tokens, in one transaction. */
  remove(which: OwnedApplicationId): Promise<boolean>;
  findById(id: ApplicationId): Promise<RegisteredApplication | undefined>;
  findOwned(which: OwnedApplicationId): Promise<RegisteredApplication | undefined>;
  findCredentials(id: ApplicationId): Promise<ApplicationCredentials | undefined>;
  /** All applications of a TPP, oldest first; at most as many as it may register. */
  listOwned(owner: OrganisationIdentifier): Promise<readonly RegisteredApplication[]>;
}
