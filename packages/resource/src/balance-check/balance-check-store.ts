import type { AccountId, Money } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { PageQuestion } from "@cobs/service-edge";

/** A TPP's question whether an amount is available on an account. */
export interface NewBalanceCheck {
  readonly organisationIdentifier: OrganisationIdentifier;
  /** The TPP's own identification; the number 1 and the text "1" are the same. */
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
 * Outcome of a question. When `limited`, it says when, and in how many milliseconds, it may be asked. The identification of
 * an answer is never used again (COBS 3.3.3.2), has at most 18 digits, and reveals nothing about the questions of others.
 */
export type TakenBalanceCheck =
  | { readonly result: "taken"; readonly responseIdentification: bigint }
  | { readonly result: "repeated" }
  | { readonly result: "limited"; readonly continuesAt: Date; readonly remainingMilliseconds: number };

/** A question as shown to a person at the bank; `amount` with its currency, `enough` undefined if there was no answer. */
export interface KeptBalanceCheck extends Pick<NewBalanceCheck, "organisationIdentifier"> {
  readonly responseIdentification: bigint;
  readonly checkedAt: Date;
  readonly amount: string;
  readonly enough: boolean | undefined;
}

/**
 * The questions of TPPs, counted in one place for all processes, by the clock of that place alone. Those of the last 24 hours
 * decide; older ones are kept as a record.
 *
 * A TPP uses an identification once in 24 hours: of any number of callers at once, one takes it. Any number of callers at
 * once cannot exceed the limits together. An amount that was already asked about within the period of a limit does not count
 * again. A refused question is not counted. Rejects when the store does not answer; it is then unknown whether a question was
 * taken.
 */
export interface BalanceCheckStore {
  take(check: NewBalanceCheck, limits: BalanceCheckLimits): Promise<TakenBalanceCheck>;
  /**
   * Counts a question for the account of `check`, because the bank would answer about another account than the question was
   * taken for. When `limited`, it stays where it was; it is never `repeated`.
   */
  moveTo(
    responseIdentification: bigint,
    check: NewBalanceCheck,
    limits: BalanceCheckLimits,
  ): Promise<TakenBalanceCheck>;
  /** Whether the identification was used in the last 24 hours. */
  isRepeated(
    check: Pick<NewBalanceCheck, "organisationIdentifier" | "exchangeIdentification">,
  ): Promise<boolean>;
  /** Frees the identification of a question that got no answer. The question still counts. */
  giveBack(responseIdentification: bigint): Promise<void>;
  /** Records the answer, before the TPP learns of it. */
  keepAnswer(responseIdentification: bigint, enough: boolean): Promise<void>;
  /** Lists the questions about an account, the newest first; none after one that does not exist. */
  listOf(account: AccountId, page: PageQuestion<bigint>): Promise<readonly KeptBalanceCheck[]>;
  /** Deletes some questions older than `keptDays` days; returns how many, fewer than `batch` when none are left. */
  forgetOld(batch: number, keptDays: number): Promise<number>;
}
