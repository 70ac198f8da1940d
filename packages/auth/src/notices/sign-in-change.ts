/**
 * What a PSU is told without having asked: that what they sign in with has changed, which a thief in their session may have
 * done. This folder owns that each such change is told, and once; it does not own the words (pages), nor how a text travels
 * (delivery, `deliver.ts`). A refused or blocked sign-in is none: anybody could have it told who knows a username.
 */
import type { Language, PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";

/** A change of what a PSU signs in with; `name` is whatever was typed for it. */
export type SignInChange =
  | { readonly kind: "passkey_added" | "passkey_removed"; readonly name: string }
  | { readonly kind: "authenticator_enrolled" };

/** A change that was made, for its PSU, in a call of theirs. */
export interface MadeChange {
  readonly psu: PsuId;
  readonly change: SignInChange;
  readonly at: Date;
  readonly language: Language;
  readonly requestId: string;
}

/** What the text of a notice says, with all that the PSU needs to know. */
export type WriteNotice = (made: Pick<MadeChange, "change" | "at" | "language">) => string;

/** Of changes of one PSU so many in an hour; what could not be told is not done. */
export const CHANGES_PER_HOUR = 30;

/**
 * Notices as whoever changes something keeps them, in the transaction of the change: both are there, or neither. No change is
 * lost for a delivery that is away, and none is made untold.
 */
export interface SignInNotices {
  /**
   * Whether a PSU may make another change now, so that no thief sends them messages without end; of parallel changes each sees
   * those before it. What takes something away that was added is not asked for.
   */
  admits(queries: Queries, psu: PsuId, now: Date): Promise<boolean>;
  /** Keeps the notice, to be delivered from the commit on. */
  tell(queries: Queries, made: MadeChange): Promise<void>;
}
