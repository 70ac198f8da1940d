/** A TPP has asked about this account as often as it may for now; no other TPP and no other account is concerned. */
export class BalanceCheckLimitRefusal extends Error {
  /** When it may ask this again, by the database's clock. */
  readonly continuesAt: Date;
  /** The same from now on, rounded up. */
  readonly retryAfterSeconds: number;

  constructor(continuesAt: Date, remainingMilliseconds: number) {
    super("balance_check_limit");
    this.name = "BalanceCheckLimitRefusal";
    this.continuesAt = continuesAt;
    this.retryAfterSeconds = Math.max(1, Math.ceil(remainingMilliseconds / 1000));
  }
}
