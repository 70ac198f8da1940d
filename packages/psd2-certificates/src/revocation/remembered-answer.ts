/**
 * What is remembered of one certificate's revocation, and what that means at a later moment: the policy, without doing
 * anything. All times are of the monotonic clock, in milliseconds.
 *
 * A good answer serves for `cacheSeconds` from its question, and no longer than it stands itself. Then somebody waits for
 * the next one. When no source answers, a call that need not be certain goes on for `graceSeconds` with what was good.
 */
import type { DatedAnswer, RevocationAnswer } from "./revocation-answer.ts";
import type { RevocationClock } from "./revocation-clock.ts";
import type { RevocationDemand, RevocationSettings } from "./revocation-settings.ts";

/** The last answer, and the last failure when it came after. */
export interface RememberedAnswer {
  readonly answer: RevocationAnswer | undefined;
  readonly servesUntil: number;
  /** From when on it is asked again while the answer still serves. */
  readonly refreshFrom: number;
  readonly failure: { readonly at: number; readonly detail: string } | undefined;
}

/** What becomes of a certificate, or of a whole path. */
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

/** A revocation is for ever; this only lets a mistake of an authority heal without a restart. */
const revokedMilliseconds = 24 * 3_600_000;
/** After a failure nobody asks for so long: a dead responder is not asked by every call. */
const retryMilliseconds = 5_000;
/** For so long after a failure, a call in its grace does not wait for the next attempt, which is made beside it. */
const patienceMilliseconds = 60_000;
/** The part of its time after which an answer is asked for again beside the calls. */
const refreshPart = 0.75;

const good: RevocationVerdict = Object.freeze({ decision: "good", detail: "" });

/** How an answer is remembered. */
export function rememberAnswer(
  { answer, askedAt }: DatedAnswer,
  { cacheSeconds }: Pick<RevocationSettings, "cacheSeconds">,
  clock: RevocationClock,
): RememberedAnswer {
  const now = clock.monotonic();
  // An answer that has just ended is accepted for the sake of clocks that differ: it serves for a moment.
  const stands = Math.max(answer.until - clock.now().getTime(), retryMilliseconds);
  const isFinal = answer.status === "revoked" && !answer.isOnHold;
  const cached = Math.min(askedAt + cacheSeconds * 1000, now + stands);
  const servesUntil = isFinal ? now + revokedMilliseconds : cached;
  const refreshFrom = isFinal ? servesUntil : askedAt + refreshPart * (servesUntil - askedAt);
  return { answer, servesUntil, refreshFrom, failure: undefined };
}

/**
 * Whether an answer takes back a revocation that is known with what was known before it: the answer of last week, sent
 * again, or a list that a silent responder leaves over. Nothing that old can say that a hold has ended.
 */
export function isOvertaken(
  { from, status }: RevocationAnswer,
  before: RememberedAnswer | undefined,
): boolean {
  const known = before?.answer;
  return status === "good" && known?.status === "revoked" && from < known.from;
}

/** How it is remembered that no source answered: beside what was known before. */
export function rememberFailure(
  before: RememberedAnswer | undefined,
  at: number,
  detail: string,
): RememberedAnswer {
  const nothing = { answer: undefined, servesUntil: at, refreshFrom: at };
  return { ...(before ?? nothing), failure: { at, detail } };
}

/** What is known without asking anybody; undefined when this call must wait for an answer. */
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

/** Whether it is time to ask again beside the call, which does not wait for it. */
export function wantsRefresh({ refreshFrom, failure }: RememberedAnswer, at: number): boolean {
  return at >= refreshFrom && !(failure !== undefined && at < failure.at + retryMilliseconds);
}

/** What is known right after somebody was asked, and beyond the time that the last answer serves. */
export function settle(known: RememberedAnswer, moment: Moment): RevocationVerdict {
  const { answer, failure } = known;
  if (answer !== undefined && failure === undefined) return verdictOfAnswer(answer);
  // The last word of its authority was no, and nobody has taken it back.
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
