import type { AccountId, Money } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";

/** A question of a TPP whether an amount is available on an account. */
export interface NewBalanceCheck {
  readonly organisationIdentifier: OrganisationIdentifier;
  /** The TPP's own; the number 1 and the text "1" are the same. */
  readonly exchangeIdentification: string;
  readonly account: AccountId;
  readonly amount: Money;
}

/** How often a TPP may ask about one account. */
export interface BalanceCheckLimits {
  /** Questions in any hour. */
  readonly perHour: number;
  /** Different amounts in any hour. */
  readonly amountsPerHour: number;
  /** Different amounts in any 24 hours. */
  readonly amountsPerDay: number;
}

/**
 * What became of a question; when `limited`, from when on, and in how many milliseconds, it may be asked. What its answer is
 * called is unique for ever (COBS 3.3.3.2), of at most 18 digits, and tells nothing of the questions of others.
 */
export type TakenBalanceCheck =
  | { readonly result: "taken"; readonly responseIdentification: bigint }
  | { readonly result: "repeated" }
  | { readonly result: "limited"; readonly continuesAt: Date; readonly remainingMilliseconds: number };

/** A question as it is told to a person at the bank; `amount` with its currency, `enough` undefined where there was no answer. */
export interface KeptBalanceCheck extends Pick<NewBalanceCheck, "organisationIdentifier"> {
  readonly responseIdentification: bigint;
  readonly checkedAt: Date;
  readonly amount: string;
  readonly enough: boolean | undefined;
}

/**
 * The questions of TPPs, counted in one place for all processes; time is that place's alone. Those of the last 24 hours decide;
 * older ones are kept to be told of.
 *
 * A TPP uses an identification once in 24 hours: of any number of callers at once one takes it. Of any number of callers at once no
 * more than the limits take theirs; an amount that was asked about within the time of a limit is no further one. What is refused
 * is not counted. Rejects when the store does not answer; whether a question was taken is then unknown.
 */
export interface BalanceCheckStore {
  take(check: NewBalanceCheck, limits: BalanceCheckLimits): Promise<TakenBalanceCheck>;
  /**
   * Counts a question that was taken for the account of `check`, where the bank would answer of another one than it was taken
   * for. When `limited` it stays where it was; it is never `repeated`.
   */
  moveTo(
    responseIdentification: bigint,
    check: NewBalanceCheck,
    limits: BalanceCheckLimits,
  ): Promise<TakenBalanceCheck>;
  /** Whether the identification was used. */
  isRepeated(
    check: Pick<NewBalanceCheck, "organisationIdentifier" | "exchangeIdentification">,
  ): Promise<boolean>;
  /** The question got no answer: its identification may come again. It is counted all the same. */
  giveBack(responseIdentification: bigint): Promise<void>;
  /** What was answered, before its TPP learns of it. */
  keepAnswer(responseIdentification: bigint, enough: boolean): Promise<void>;
  /** Those about an account, the newest first; none after one that is not there. */
  listOf(account: AccountId, page: PageQuestion<bigint>): Promise<readonly KeptBalanceCheck[]>;
  /** Deletes some of what is older than so many days; gives how many, fewer than a whole batch when no more is left. */
  forgetOld(batch: number, keptDays: number): Promise<number>;
}
