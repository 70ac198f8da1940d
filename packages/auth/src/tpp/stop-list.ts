import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";
import type { OperatorAct } from "../audit/act.ts";
import type { FeedCursor } from "../feed/feed-event.ts";

/** What can be blocked: a TPP by its exact organisation identifier, or one certificate by its `x5t#S256`. */
export type StopListKey =
  | { readonly kind: "organisation"; readonly key: OrganisationIdentifier }
  | { readonly kind: "certificate"; readonly key: CertificateThumbprint };

/** Who blocks and releases: the check of the TPP register, or an operator, named by the common name of the certificate. */
export type Blocker = "register" | OperatorAct;

/** One block, past or present. */
export type Block = StopListKey & {
  /** Ascending in the order of the blocks. */
  readonly id: number;
  /** Only its origin can release a block: the register's blocks are for the register to release. */
  readonly origin: "operator" | "register";
  readonly reason: string;
  readonly blockedBy: string;
  readonly blockedAt: Date;
  /** Undefined while the block is in force. */
  readonly released: { readonly by: string; readonly at: Date } | undefined;
};

/** An order to block. */
export type NewBlock = StopListKey & { readonly reason: string; readonly by: Blocker };

/** An order to release a block, which only its origin can give. */
export type Release = StopListKey & { readonly by: Blocker };

/** Every blocked key once, whoever blocked it, with the position of the event feed at the same moment. */
export interface BlockedKeys extends FeedCursor {
  readonly keys: readonly StopListKey[];
}

/** Outcome of an order to block: of concurrent orders for one key and origin, exactly one is `blocked`. */
export type BlockOutcome =
  | { readonly result: "blocked" | "already_blocked"; readonly block: Block }
  | { readonly result: "list_full" };

/** The TPP and certificate that a request shows; a PSU's browser shows no certificate. */
export interface BlockableParty {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly thumbprint: CertificateThumbprint | undefined;
  /** Thumbprint of the other form of the same certificate, which is blocked with it. */
  readonly twinThumbprint?: CertificateThumbprint | undefined;
}

/** Most blocks in force at a time. */
export const MAX_ACTIVE_BLOCKS = 10_000;

/**
 * Durable list of TPPs and certificates that may not call, in force for every process as soon as a block is stored. The operator
 * and the register can both block a key; it is free when neither does. Nothing is deleted here: a release ends a block and keeps
 * it (`records` says for how long), and a later block is a new one. In the same transaction, the event feed reports that a key
 * was blocked or is free, and the audit log who did it. Time is the database's.
 */
export interface StopList {
  /** Finds which of the two is blocked now, the TPP before the certificate; undefined when both may call. Never cached. */
  findBlocked(party: BlockableParty): Promise<StopListKey["kind"] | undefined>;
  /** Blocks from this moment on. A key that the same origin has already blocked keeps its block, with the former reason. */
  block(block: NewBlock): Promise<BlockOutcome>;
  /** Ends the block of this origin and returns it; undefined when there was none. */
  release(release: Release): Promise<Block | undefined>;
  /** Lists the keys blocked now, for readers that follow later changes in the feed. */
  blockedKeys(): Promise<BlockedKeys>;
  /** Finds the block of one origin in force for a key. */
  findActive(which: Release): Promise<Block | undefined>;
  /** Lists the register's blocks in force. */
  activeOfRegister(): Promise<readonly Block[]>;
  /** Lists a page of the blocks in force, oldest first; for people, not for checks of requests. */
  active(page: PageQuestion<Block["id"]>): Promise<readonly Block[]>;
  /** Lists a page of past and present blocks, newest first. */
  history(page: PageQuestion<Block["id"]>): Promise<readonly Block[]>;
}
