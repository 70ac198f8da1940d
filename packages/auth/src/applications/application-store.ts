import type { ApplicationId, ApplicationRegistration, Scope } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Act } from "../audit/act.ts";
import type { BlockableParty, StopListKey } from "../tpp/stop-list.ts";
import type { KnownTpp } from "../tpp/tpp-store.ts";
import type { RegisteredApplication } from "./application.ts";

/** The highest configurable limit of applications that one TPP may have. */
export const MOST_APPLICATIONS_PER_TPP = 1_000;

/** A registration with its scopes decided. */
export type DecidedRegistration = ApplicationRegistration & { readonly scopes: readonly Scope[] };

/** An application to be stored, with the SHA-256 of its secret (base64url); null when it has none. */
export interface NewApplication {
  readonly id: ApplicationId;
  readonly owner: OrganisationIdentifier;
  readonly registration: DecidedRegistration;
  readonly secretHash: string | null;
}

/** A secret to replace the present one. */
export interface NewSecret {
  /** SHA-256 of the secret, in base64url. */
  readonly secretHash: string;
  /** How long the replaced secret still works; 0 ends it at once. */
  readonly overlapSeconds: number;
}

/** An application with the hashes of its secrets, if it has any. */
export interface ApplicationCredentials {
  readonly application: RegisteredApplication;
  readonly secretHash: string | null;
  /** Hash of the replaced secret, while that still works. */
  readonly formerSecretHash: string | null;
}

/** An application that requests an authorization through a PSU's browser, with its TPP as of the same moment. */
export interface AskingApplication extends ApplicationCredentials {
  readonly tpp: KnownTpp;
  /** Whether the TPP is on the stop list. */
  readonly isBlocked: boolean;
}

/** What decides whether a TPP's call that names an application is admitted, whoever owns it, as of one moment. */
export interface NamedApplication {
  /** Whether the TPP or its certificate is on the stop list; undefined when neither is. */
  readonly blocked: StopListKey["kind"] | undefined;
  readonly found: ApplicationCredentials | undefined;
}

/** The application that a TPP names; found only if the TPP owns it. */
export interface OwnedApplicationId {
  readonly owner: OrganisationIdentifier;
  readonly id: ApplicationId;
}

/**
 * The registered applications. Ids are random and never reused: a deleted application keeps its row for years
 * (`records`), without its data. Every method that takes an owner treats another TPP's application exactly as an
 * unknown one: undefined or false.
 *
 * Changes of one application run one at a time, never mixed: the callback that decides sees the present state, which
 * nobody changes before it is stored, and what it throws cancels the change. Every change gives a new version and is
 * recorded with its act; a replacement or removal is an event in the feed. All of it is in one transaction.
 */
export interface ApplicationStore {
  /** Stores a new application; undefined when its owner already has `limit` of them. */
  register(
    application: NewApplication,
    terms: { readonly limit: number; readonly act: Act },
  ): Promise<RegisteredApplication | undefined>;
  /**
   * Replaces the registration with what `decide` returns. Ends consents that need a removed scope, and the secrets of
   * an application that no longer authenticates with them.
   */
  replace(
    which: OwnedApplicationId,
    act: Act,
    decide: (current: RegisteredApplication) => DecidedRegistration,
  ): Promise<RegisteredApplication | undefined>;
  /** Replaces the secret. The former secret ends at once, the present one after the overlap. */
  renewSecret(
    which: OwnedApplicationId,
    act: Act,
    decide: (current: RegisteredApplication) => NewSecret,
  ): Promise<RegisteredApplication | undefined>;
  /** Deletes the application, with its consents, grants, codes and tokens, unless `check` throws. */
  remove(
    which: OwnedApplicationId,
    act: Act,
    check: (current: RegisteredApplication) => void,
  ): Promise<boolean>;
  findById(id: ApplicationId): Promise<RegisteredApplication | undefined>;
  findOwned(which: OwnedApplicationId): Promise<RegisteredApplication | undefined>;
  /** Finds the application that a call names, if any, and whether its TPP is blocked, in one statement. */
  findNamed(by: BlockableParty, id: ApplicationId | undefined): Promise<NamedApplication>;
  findAsking(id: ApplicationId): Promise<AskingApplication | undefined>;
  /** Lists all applications of a TPP, oldest first. */
  listOwned(owner: OrganisationIdentifier): Promise<readonly RegisteredApplication[]>;
}
