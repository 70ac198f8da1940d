import type { Clock } from "@cobs/service-edge";

/** The limit that is reached, as the log names it. */
export type LimitRefusalCode =
  /** Accesses without the PSU in 24 hours (RTS Article 36(5)(b)). A running access is never refused. */
  | "access_limit"
  /** Calls in progress at the same time. */
  | "calls_at_once"
  /** Questions about an account, and about different amounts on it (COBS 3.3.3). */
  | "balance_check_limit"
  /** Questions of a card issuer about accounts without a consent (COBS 3.3.3); auth is not asked once it is reached. */
  | "card_consent_limit"
  /** Payments that are entered (COBS 3.2.4). */
  | "payment_limit";

/** When a TPP may come back. */
export interface Continuation {
  /** By the clock of whoever counts. */
  readonly continuesAt: Date;
  /** Seconds from now until then, rounded up, so that a TPP that waits this long does not come too early. */
  readonly retryAfterSeconds: number;
}

/** Refuses a TPP that has reached a limit for now; other TPPs are not affected. */
export class LimitRefusal extends Error implements Continuation {
  override readonly name = "LimitRefusal";
  readonly code: LimitRefusalCode;
  readonly continuesAt: Date;
  readonly retryAfterSeconds: number;

  constructor(code: LimitRefusalCode, continuesAt: Date, remainingMilliseconds: number) {
    super(code);
    this.code = code;
    this.continuesAt = continuesAt;
    this.retryAfterSeconds = Math.max(1, Math.ceil(remainingMilliseconds / 1000));
  }
}

/** Creates the refusal of a caller that may ask again after this time. */
export function refusalFor(
  milliseconds: number,
  code: LimitRefusalCode,
  clock: Pick<Clock, "now">,
): LimitRefusal {
  return new LimitRefusal(code, new Date(clock.now().getTime() + milliseconds), milliseconds);
}
