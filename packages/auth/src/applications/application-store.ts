import type { ApplicationId, ApplicationRegistration, Scope } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Act } from "../audit/act.ts";
import type { BlockableParty, StopListKey } from "../tpp/stop-list.ts";
import type { KnownTpp } from "../tpp/tpp-store.ts";
import type { RegisteredApplication } from "./application.ts";

/** The highest limit of applications that one TPP may have at a time. */
export const MOST_APPLICATIONS_PER_TPP = 1_000;

/** A registration whose scopes are decided. */
export type DecidedRegistration = ApplicationRegistration & { readonly scopes: readonly Scope[] };

/** An application that is about to be stored, with the SHA-256 of its secret (base64url); null when it has none. */
export interface NewApplication {
  readonly id: ApplicationId;
  readonly owner: OrganisationIdentifier;
  readonly registration: DecidedRegistration;
  readonly secretHash: string | null;
}

/** A secret that is about to take the place of another. */
export interface NewSecret {
  /** base64url of its SHA-256. */
  readonly secretHash: string;
  /** How long the present secret works beside it; 0 ends it at once. */
  readonly overlapSeconds: number;
}

/** An application with what its secret is compared with, when it has one. */
export interface ApplicationCredentials {
  readonly application: RegisteredApplication;
  readonly secretHash: string | null;
  /** Of the secret before, as long as that one works too. */
  readonly formerSecretHash: string | null;
}

/** An application for which a PSU's browser asks, with what there is to know of its TPP at the same moment. */
export interface AskingApplication extends ApplicationCredentials {
  readonly tpp: KnownTpp;
  /** Whether the TPP is on the stop list. */
  readonly isBlocked: boolean;
}

/** What decides about the call of a TPP that names an application, whoever owns it, at one moment. */
export interface NamedApplication {
  /** Which of the TPP and its certificate is on the stop list. */
  readonly blocked: StopListKey["kind"] | undefined;
  readonly found: ApplicationCredentials | undefined;
}

/** Which application a TPP means: one that it owns, or none. */
export interface OwnedApplicationId {
  readonly owner: OrganisationIdentifier;
  readonly id: ApplicationId;
}

/**
 * The registered applications. Ids are random and never used twice: a deleted application keeps its row for years
 * (`records`), without its data.
 * Every method that takes an owner treats a foreign application exactly as an unknown one: undefined or false.
 * Two calls at once end in the result of one of them, never in a mixture: what decides about a change sees the application
 * as it is, nobody changes it between the two, and what is thrown there changes nothing. Every change gives another
 * version and is recorded with its act; what is replaced or removed is told in the event feed. All in one transaction.
 */
export interface ApplicationStore {
  /** Stores a new application; undefined when its owner already has `limit` of them. */
  register(
    application: NewApplication,
    terms: { readonly limit: number; readonly act: Act },
  ): Promise<RegisteredApplication | undefined>;
  /**
   * Replaces what was registered by what `decide` makes of it. Consents that need a scope which is gone end with it, and
   * so do the secrets of one that no longer authenticates with them.
   */
  replace(
    which: OwnedApplicationId,
    act: Act,
    decide: (current: RegisteredApplication) => DecidedRegistration,
  ): Promise<RegisteredApplication | undefined>;
  /** Replaces the secret; that before the present one is worth nothing from now on, and the present one after the overlap. */
  renewSecret(
    which: OwnedApplicationId,
    act: Act,
    decide: (current: RegisteredApplication) => NewSecret,
  ): Promise<RegisteredApplication | undefined>;
  /** Ends the application with its consents, grants, codes and tokens, unless `check` throws. */
  remove(
    which: OwnedApplicationId,
    act: Act,
    check: (current: RegisteredApplication) => void,
  ): Promise<boolean>;
  findById(id: ApplicationId): Promise<RegisteredApplication | undefined>;
  findOwned(which: OwnedApplicationId): Promise<RegisteredApplication | undefined>;
  /** Finds the application that a call names, if it names any, and whether its TPP is blocked, in one statement. */
  findNamed(by: BlockableParty, id: ApplicationId | undefined): Promise<NamedApplication>;
  findAsking(id: ApplicationId): Promise<AskingApplication | undefined>;
  /** All applications of a TPP, oldest first. */
  listOwned(owner: OrganisationIdentifier): Promise<readonly RegisteredApplication[]>;
}
