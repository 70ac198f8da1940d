import type { Clock } from "@cobs/service-edge";

/** Which limit is reached, as the log calls it. */
export type LimitRefusalCode =
  /** Accesses without the PSU in 24 hours (RTS Article 36(5)(b)). One that runs is never refused. */
  | "access_limit"
  /** Calls that are carried out at the same time. */
  | "calls_at_once"
  /** Questions about an account, and about different amounts on it (COBS 3.3.3). */
  | "balance_check_limit"
  /** Questions of a card issuer about accounts without a consent (COBS 3.3.3): auth is not asked for it. */
  | "card_consent_limit"
  /** Payments that are entered (COBS 3.2.4). */
  | "payment_limit";

/** A TPP has asked for this as often as it may for now; no other TPP is concerned. */
export class LimitRefusal extends Error {
  override readonly name = "LimitRefusal";
  readonly code: LimitRefusalCode;
  /** When it may ask again, by the clock of whoever counts. */
  readonly continuesAt: Date;
  /** The same from now on, rounded up: whoever waits as long is not refused for having come too early. */
  readonly retryAfterSeconds: number;

  constructor(code: LimitRefusalCode, continuesAt: Date, remainingMilliseconds: number) {
    super(code);
    this.code = code;
    this.continuesAt = continuesAt;
    this.retryAfterSeconds = Math.max(1, Math.ceil(remainingMilliseconds / 1000));
  }
}

/** The refusal of one who may ask again after this time. */
export function refusalFor(
  milliseconds: number,
  code: LimitRefusalCode,
  clock: Pick<Clock, "now">,
): LimitRefusal {
  return new LimitRefusal(code, new Date(clock.now().getTime() + milliseconds), milliseconds);
}
