import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { OperatorAct } from "../audit/act.ts";
import type { FeedCursor } from "../feed/feed-event.ts";

/** What can be blocked: a TPP, by its organisation identifier exactly, or one certificate, by its `x5t#S256`. */
export type StopListKey =
  | { readonly kind: "organisation"; readonly key: OrganisationIdentifier }
  | { readonly kind: "certificate"; readonly key: CertificateThumbprint };

/** Who blocks and releases: the check of the TPP register, or a person, who is named by the common name of the certificate. */
export type Blocker = "register" | OperatorAct;

/** One block, past or present. */
export type Block = StopListKey & {
  /** Counts up in the order of the orders. */
  readonly id: number;
  /** Only its origin releases a block: what the register says is for the register to take back. */
  readonly origin: "operator" | "register";
  readonly reason: string;
  readonly blockedBy: string;
  readonly blockedAt: Date;
  /** Undefined while it is in force. */
  readonly released: { readonly by: string; readonly at: Date } | undefined;
};

/** A block that is ordered. */
export type NewBlock = StopListKey & { readonly reason: string; readonly by: Blocker };

/** A block of an origin, which alone takes it back. */
export type Release = StopListKey & { readonly by: Blocker };

/** Every key that is blocked, once, whoever blocked it; and where the event feed stood at that very moment. */
export interface BlockedKeys extends FeedCursor {
  readonly keys: readonly StopListKey[];
}

/** What became of an order to block: of any number at once for one key and origin, exactly one is `blocked`. */
export type BlockOutcome =
  | { readonly result: "blocked" | "already_blocked"; readonly block: Block }
  | { readonly result: "list_full" };

/** What a call shows of itself; a PSU's browser shows no certificate. */
export interface BlockableParty {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly thumbprint: CertificateThumbprint | undefined;
  /** Of the other form of the same certificate, which is blocked with it. */
  readonly twinThumbprint?: CertificateThumbprint | undefined;
}

/** How many blocks may be in force at a time. */
export const MAX_ACTIVE_BLOCKS = 10_000;

/**
 * Who may not call, durable, in force for every process from the moment that a block is stored. A key may be blocked by the
 * operator and by the register at the same time, and is free when neither blocks it. Nothing is deleted here: a release ends a
 * block and keeps it (`records` says for how long), a later block is a new one. The event feed tells, in the same transaction,
 * that a key was blocked, and that it is free, and the audit log who did it. Time is the database's.
 */
export interface StopList {
  /** Which of the two is blocked now, the TPP before the certificate; undefined when both may call. Never cached. */
  findBlocked(party: BlockableParty): Promise<StopListKey["kind"] | undefined>;
  /** Blocks from this moment on; one that its origin has blocked already keeps its block, with the former reason. */
  block(block: NewBlock): Promise<BlockOutcome>;
  /** Ends the block of this origin and gives it; undefined when there was none. */
  release(release: Release): Promise<Block | undefined>;
  /** What is blocked now, for those who follow the changes from there on. */
  blockedKeys(): Promise<BlockedKeys>;
  /** The block of one origin that is in force under a key. */
  findActive(which: Release): Promise<Block | undefined>;
  /** What the register blocks now. */
  activeOfRegister(): Promise<readonly Block[]>;
  /** A page of what is in force, oldest first: for people, not for a look in passing. */
  active(page: PageQuestion<Block["id"]>): Promise<readonly Block[]>;
  /** A page of past and present blocks, newest first. */
  history(page: PageQuestion<Block["id"]>): Promise<readonly Block[]>;
}
