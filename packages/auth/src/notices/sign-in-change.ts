/**
 * What a PSU is told without having asked: that the means they sign in with have changed, which a thief in their session may have
 * done. This folder owns that each such change is told, and once. It does not own the words (pages), nor how a text travels
 * (delivery, `deliver.ts`). A refused or blocked sign-in causes no notice: anybody who knows a username could trigger one.
 */
import type { Language, PsuId } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";

/** A change of what a PSU signs in with; `name` is whatever was typed as its name. */
export type SignInChange =
  | { readonly kind: "passkey_added" | "passkey_removed"; readonly name: string }
  | { readonly kind: "authenticator_enrolled" };

/** A change that was made, for its PSU, in one of their calls. */
export interface MadeChange {
  readonly psu: PsuId;
  readonly change: SignInChange;
  readonly at: Date;
  readonly language: Language;
  readonly requestId: string;
}

/** Writes the text of a notice, with all that the PSU needs to know. */
export type WriteNotice = (made: Pick<MadeChange, "change" | "at" | "language">) => string;

/** Most changes per PSU and hour; a change that could not be told is not made. */
export const CHANGES_PER_HOUR = 30;

/**
 * Notices as the code that makes a change stores them, in the transaction of the change: both are stored, or neither. An
 * unavailable delivery loses no notice, and no change is made without one.
 */
export interface SignInNotices {
  /**
   * Whether a PSU may make another change now, so that a thief cannot send them messages without end. Of parallel changes each
   * sees those before it. Not asked before something is removed that was added.
   */
  admits(queries: Queries, psu: PsuId, now: Date): Promise<boolean>;
  /** Stores the notice, to be delivered once the transaction commits. */
  tell(queries: Queries, made: MadeChange): Promise<void>;
}
