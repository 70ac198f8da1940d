/** A TPP has asked about so many accounts without a consent that auth is not asked for it for now; no other TPP is concerned. */
export class CardConsentLimitRefusal extends Error {
  /** When it may ask about another account. */
  readonly continuesAt: Date;
  /** The same from now on, rounded up. */
  readonly retryAfterSeconds: number;

  constructor(now: Date, waitMilliseconds: number) {
    super("card_consent_limit");
    this.name = "CardConsentLimitRefusal";
    this.continuesAt = new Date(now.getTime() + waitMilliseconds);
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMilliseconds / 1000));
  }
}
