/**
 * Why the journey does not go on; nothing has changed then:
 * - `request_unacceptable`: an authorization request that cannot be answered with a redirect, because its application or
 *   its redirect URI is unknown (RFC 6749 4.1.2.1)
 * - `form_untrusted`: it does not come from a page of ours in its present step (CSRF, an out-of-date tab)
 * - `form_malformed`: a field is missing or came more than once
 */
export type JourneyRefusalCode = "request_unacceptable" | "form_untrusted" | "form_malformed";

/** A request or form that is refused as a whole; `detail` is for the log alone. */
export class JourneyRefusal extends Error {
  override readonly name = "JourneyRefusal";
  readonly code: JourneyRefusalCode;
  readonly detail: string;

  constructor(code: JourneyRefusalCode, detail: string) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}
