import type { Clock, CountCache } from "@cobs/service-edge";
import type { AnswerMemory, RememberedAnswer } from "./answer-memory.ts";
import type { Endings } from "./follow-endings.ts";

/** One answer of auth; `position` is that of the event feed before auth looked, if auth named one. */
export interface AuthAnswer<Answer, Lasting extends Answer> {
  readonly answer: Answer;
  readonly position: number | undefined;
  /** The answer to remember and for how many milliseconds from the question; undefined when it must not be remembered. */
  readonly lasting: { readonly answer: Lasting; readonly milliseconds: number } | undefined;
}

/** Dependencies of remembering. */
export interface RememberingParts {
  readonly endings: Pick<Endings, "position" | "isFresh">;
  readonly freshnessSeconds: number;
  readonly clock: Clock;
  /** Counts the look-ups; an answer that is remembered but too old to serve counts as a miss. */
  readonly countCache: CountCache;
}

/** Gives a remembered answer at once, or asks auth; `whenUnknown` decides whether and when `askAuth` is called. */
export type Remember<Answer, Lasting extends Answer> = (
  key: string,
  ask: () => Promise<AuthAnswer<Answer, Lasting>>,
  whenUnknown: (askAuth: () => Answer | Promise<Answer>) => Promise<Answer>,
) => Answer | Promise<Answer>;

interface Question<Answer, Lasting extends Answer> {
  readonly sentAt: number;
  readonly generation: number;
  readonly answer: Promise<AuthAnswer<Answer, Lasting>>;
}

/**
 * Remembers auth's answers, so that auth is asked once about each thing.
 *
 * An answer serves while its own question, or the newest question about endings that left no gap, was sent at most
 * `freshnessSeconds` ago on the monotonic clock. Counted from the answer, a slow answer could outlive the bound.
 *
 * An answer is used once and not remembered in two cases. If it is older than the endings already taken, it may have missed
 * one of them. If it was on its way when everything was forgotten, its position may be of a feed that has lost events since,
 * or the key that verified it may be the dropped one.
 *
 * Callers with the same key share one question under the same bounds. Answers that do not last are not remembered: anybody
 * can make up any number of questions with such answers, and these would push out the good ones.
 */
export function rememberAnswers<Answer, Lasting extends Answer>(
  { name, memory }: { readonly name: string; readonly memory: AnswerMemory<Lasting> },
  { endings, freshnessSeconds, clock, countCache }: RememberingParts,
): Remember<Answer, Lasting> {
  type Ask = () => Promise<AuthAnswer<Answer, Lasting>>;
  const counted = countCache(name, memory.size);
  const asking = new Map<string, Question<Answer, Lasting>>();

  const isFresh = ({ sentAt }: { readonly sentAt: number }) =>
    clock.monotonicMilliseconds() - sentAt <= freshnessSeconds * 1000;

  /** Whether the question was asked after everything was forgotten for the last time. */
  const isOfNow = ({ generation }: { readonly generation: number }) => generation === memory.generation();

  /** Whether every ending after the answer is still to be reported to us. */
  const hasMissedNothing = (
    { position }: Pick<AuthAnswer<Answer, Lasting>, "position">,
    taken = endings.position(),
  ) => position !== undefined && taken !== undefined && position >= taken;

  const serves = (known: RememberedAnswer<Lasting>) =>
    clock.monotonicMilliseconds() < known.endsAt && (endings.isFresh() || isFresh(known));

  async function askOnce(key: string, ask: Ask): Promise<Answer> {
    const sentAt = clock.monotonicMilliseconds();
    const question = { sentAt, generation: memory.generation(), answer: ask() };
    asking.set(key, question);
    // A question overtaken by a later one must not bring back what the later one has ended.
    const isLatest = () => asking.get(key) === question;
    try {
      const answered = await question.answer;
      const { answer, lasting } = answered;
      if (lasting === undefined) memory.forget(key);
      else if (isLatest() && isOfNow(question) && hasMissedNothing(answered))
        memory.keep(key, { sentAt, endsAt: sentAt + lasting.milliseconds, answer: lasting.answer });
      return answer;
    } finally {
      if (isLatest()) asking.delete(key);
    }
  }

  function findServing(key: string): RememberedAnswer<Lasting> | undefined {
    const known = memory.find(key);
    return known !== undefined && serves(known) ? known : undefined;
  }

  const findOrAsk = (key: string, ask: Ask) => findServing(key)?.answer ?? askWithOthers(key, ask);

  async function askWithOthers(key: string, ask: Ask): Promise<Answer> {
    const question = asking.get(key);
    if (question === undefined || !isFresh(question) || !isOfNow(question)) return askOnce(key, ask);
    const taken = endings.position();
    const answered = await question.answer;
    // An answer that was on its way when something ended is not for a call that came after the ending.
    return hasMissedNothing(answered, taken) ? answered.answer : findOrAsk(key, ask);
  }

  return (key, ask, whenUnknown) => {
    const known = findServing(key);
    if (known !== undefined) {
      counted.hit();
      return known.answer;
    }
    counted.missed();
    // A caller that had to wait may find by then what others have asked meanwhile.
    return whenUnknown(() => findOrAsk(key, ask));
  };
}
