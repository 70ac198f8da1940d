/**
 * Kinds of events, for services that remember or wait for auth's answers. The key names what has ended or been decided:
 * - `token`: an access token, by its SHA-256 in base64url
 * - `consent`: a consent with all of its tokens, whatever ended it
 * - `payment_consent`: a PSU's consent to an application's payments, by both ids with a space between; what waits for approval
 *   under it can no longer be approved
 * - `card_consent`: a consent to a card issuer
 * - `application`: it was deleted or changed; stands for its consents that ended with it
 * - `tpp_blocked`, `tpp_released`: an organisation identifier was put on the stop list, or is free
 * - `certificate_blocked`, `certificate_released`: likewise a certificate, by its `x5t#S256`
 * - `psu_blocked`: everything that a PSU ever allowed
 * - `signing_key_dropped`: nothing signed with the key of this `kid` is accepted any more
 * - `signing_approved`, `signing_refused`, `signing_expired`: the outcome of the signing request with this id
 */
export type FeedEventKind =
  | "token"
  | "consent"
  | "payment_consent"
  | "card_consent"
  | "application"
  | "tpp_blocked"
  | "tpp_released"
  | "certificate_blocked"
  | "certificate_released"
  | "psu_blocked"
  | "signing_key_dropped"
  | "signing_approved"
  | "signing_refused"
  | "signing_expired";

/** An event that has no position yet. */
export interface FeedEvent {
  readonly kind: FeedEventKind;
  readonly key: string;
}

/**
 * An event with its position; positions ascend by one, in the order of commits. The mark is random, because a database that lost
 * its last changes assigns their positions again to other events.
 */
export type PositionedEvent = FeedEvent & { readonly position: number; readonly mark: string };

/** A reader's position: the last event that it took. Without a mark, the position alone is trusted. */
export interface FeedCursor {
  readonly position: number;
  readonly mark: string | undefined;
}
