/**
 * What has ended or been decided, told to services that remember or wait for what auth says. A key names it:
 * - `token`: an access token, by its SHA-256 in base64url
 * - `consent`: whatever ended it, with all of its tokens
 * - `payment_consent`: what a PSU agreed with an application about payments, by the ids of both with a space between; what waits
 *   for approval under it cannot be approved any more
 * - `card_consent`: a consent to a card issuer
 * - `application`: it was deleted or changed; stands for those of its consents that ended with it
 * - `tpp_blocked`, `tpp_released`: an organisation identifier came on the stop list, or is free
 * - `certificate_blocked`, `certificate_released`: the same of a certificate, by its `x5t#S256`
 * - `psu_blocked`: everything that a PSU ever allowed
 * - `signing_key_dropped`: nothing is believed any more that is signed with the key of this `kid`
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

/** One ending or outcome, before it has a position. */
export interface FeedEvent {
  readonly kind: FeedEventKind;
  readonly key: string;
}

/**
 * An event in its place: positions count up by one, in the order in which the changes were committed. The mark is random:
 * a database that lost its last changes gives their positions again, to other events.
 */
export type PositionedEvent = FeedEvent & { readonly position: number; readonly mark: string };

/** Where a reader stands: the last event that it has taken. Without a mark, the position alone is believed. */
export interface FeedCursor {
  readonly position: number;
  readonly mark: string | undefined;
}
