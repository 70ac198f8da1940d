/**
 * Remembered facts about one certificate's revocation, and what they mean at a later moment: the policy, without side effects.
 * All times are of the monotonic clock, in milliseconds.
 *
 * A good answer serves for `cacheSeconds` from its question, and no longer than its own period. After that a call waits for
 * the next one. If no source answers, a call that need not be certain continues for `graceSeconds` with an earlier good
 * answer.
 */
import type { DatedAnswer, RevocationAnswer } from "./revocation-answer.ts";
import type { RevocationClock } from "./revocation-clock.ts";
import type { RevocationDemand, RevocationSettings } from "./revocation-settings.ts";

/** The last answer, and the last failure if it came later. */
export interface RememberedAnswer {
  readonly answer: RevocationAnswer | undefined;
  readonly servesUntil: number;
  /** From this time on, the source is asked again while the answer still serves. */
  readonly refreshFrom: number;
  readonly failure: { readonly at: number; readonly detail: string } | undefined;
}

/** The decision about a certificate, or about a whole path. */
export type RevocationVerdict = {
  readonly decision: "good" | "revoked" | "grace" | "unavailable";
  readonly detail: string;
};

/** A call's demand and the time at which it is judged. */
export interface Moment {
  readonly demand: RevocationDemand;
  readonly at: number;
  readonly graceSeconds: number;
}

/** A revocation is permanent; this only lets a mistake of an authority be corrected without a restart. */
const revokedMilliseconds = 24 * 3_600_000;
/** Pause after a failure, so that not every call asks a dead responder. */
const retryMilliseconds = 5_000;
/** For this long after a failure, a call in its grace period does not wait for the next attempt, made in the background. */
const patienceMilliseconds = 60_000;
/** Part of its lifetime after which an answer is refreshed in the background. */
const refreshPart = 0.75;

const good: RevocationVerdict = Object.freeze({ decision: "good", detail: "" });

/** Makes the memory of an answer. */
export function rememberAnswer(
  { answer, askedAt }: DatedAnswer,
  { cacheSeconds }: Pick<RevocationSettings, "cacheSeconds">,
  clock: RevocationClock,
): RememberedAnswer {
  const now = clock.monotonic();
  // An answer that has just ended is accepted because clocks differ, and serves for a moment.
  const stands = Math.max(answer.until - clock.now().getTime(), retryMilliseconds);
  const isFinal = answer.status === "revoked" && !answer.isOnHold;
  const cached = Math.min(askedAt + cacheSeconds * 1000, now + stands);
  const servesUntil = isFinal ? now + revokedMilliseconds : cached;
  const refreshFrom = isFinal ? servesUntil : askedAt + refreshPart * (servesUntil - askedAt);
  return { answer, servesUntil, refreshFrom, failure: undefined };
}

/**
 * Whether a new answer would withdraw a known revocation although it is older: last week's answer replayed, or a list left
 * over while a responder is silent. Nothing that old can say that a hold has ended.
 */
export function isOvertaken(
  { from, status }: RevocationAnswer,
  before: RememberedAnswer | undefined,
): boolean {
  const known = before?.answer;
  return status === "good" && known?.status === "revoked" && from < known.from;
}

/** Adds to what was known that no source answered. */
export function rememberFailure(
  before: RememberedAnswer | undefined,
  at: number,
  detail: string,
): RememberedAnswer {
  const nothing = { answer: undefined, servesUntil: at, refreshFrom: at };
  return { ...(before ?? nothing), failure: { at, detail } };
}

/** Returns what is known without asking; undefined if this call must wait for an answer. */
export function verdictOf(
  known: RememberedAnswer | undefined,
  moment: Moment,
): RevocationVerdict | undefined {
  if (known === undefined) return undefined;
  const { answer, servesUntil, failure } = known;
  if (answer !== undefined && moment.at < servesUntil) return verdictOfAnswer(answer);
  if (failure === undefined) return undefined;
  if (moment.at < failure.at + retryMilliseconds) return settle(known, moment);
  return moment.at < failure.at + patienceMilliseconds ? graceOf(known, moment) : undefined;
}

/** Whether it is time to refresh in the background, without delaying the call. */
export function wantsRefresh({ refreshFrom, failure }: RememberedAnswer, at: number): boolean {
  return at >= refreshFrom && !(failure !== undefined && at < failure.at + retryMilliseconds);
}

/** Returns the decision right after a source was asked, even beyond the time for which the last answer serves. */
export function settle(known: RememberedAnswer, moment: Moment): RevocationVerdict {
  const { answer, failure } = known;
  if (answer !== undefined && failure === undefined) return verdictOfAnswer(answer);
  // The authority's last answer was a revocation, and has not been withdrawn.
  if (answer?.status === "revoked") return verdictOfAnswer(answer);
  const detail = failure?.detail ?? "";
  return graceOf(known, moment) ?? { decision: "unavailable", detail };
}

function graceOf(
  { answer, servesUntil, failure }: RememberedAnswer,
  { demand, at, graceSeconds }: Moment,
): RevocationVerdict | undefined {
  const isInGrace = answer?.status === "good" && at < servesUntil + graceSeconds * 1000;
  return demand === "known" && isInGrace ? { decision: "grace", detail: failure?.detail ?? "" } : undefined;
}

function verdictOfAnswer(answer: RevocationAnswer): RevocationVerdict {
  return answer.status === "good" ? good : { decision: "revoked", detail: answer.detail };
}
