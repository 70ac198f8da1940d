import type { Clock, CountCache } from "@cobs/service-edge";
import type { AnswerMemory, RememberedAnswer } from "./answer-memory.ts";
import type { Endings } from "./follow-endings.ts";

/** What auth answered once; `position` is that of the event feed before it looked, if auth named one. */
export interface AuthAnswer<Answer, Lasting extends Answer> {
  readonly answer: Answer;
  readonly position: number | undefined;
  /** The same where it may be remembered, and for how long from the question on. */
  readonly lasting: { readonly answer: Lasting; readonly milliseconds: number } | undefined;
}

/** What remembering stands on. */
export interface RememberingParts {
  readonly endings: Pick<Endings, "position" | "isFresh">;
  readonly freshnessSeconds: number;
  readonly clock: Clock;
  /** Told of the look-ups; what is remembered and too old to serve is a miss. */
  readonly countCache: CountCache;
}

/** Gives what is remembered under a key at once, or asks; `unlessKnown` decides whether and when what is not known is asked. */
export type Remember<Answer, Lasting extends Answer> = (
  key: string,
  ask: () => Promise<AuthAnswer<Answer, Lasting>>,
  unlessKnown?: (work: () => Answer | Promise<Answer>) => Promise<Answer>,
) => Answer | Promise<Answer>;

interface Question<Answer, Lasting extends Answer> {
  readonly sentAt: number;
  readonly generation: number;
  readonly answer: Promise<AuthAnswer<Answer, Lasting>>;
}

/**
 * Remembers what auth said, so that it is asked once about each thing.
 *
 * An answer serves while its own question, or the newest one about endings that left no gap, was sent at most
 * `freshnessSeconds` ago on the monotonic clock: counted from an answer, a slow one could outlive the bound. An answer
 * that is older than the endings that were taken already may have missed one of them: it is used once and not remembered.
 * So is one that was on its way when everything was forgotten: its position may be of a feed that has lost events since,
 * or the key with which it was believed be the one that was dropped. Callers with one key share one question under the
 * same bounds. Answers that do not last are not remembered: anybody can make up any number of questions that have one,
 * and they would push out the good ones.
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

  /** Whether it was asked after everything was forgotten for the last time. */
  const isOfNow = ({ generation }: { readonly generation: number }) => generation === memory.generation();

  /** Whether all that ends after the answer was made is still to be told to us. */
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
    // A question that was overtaken by a later one must not bring back what that one has ended.
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

  const recall: Remember<Answer, Lasting> = (key, ask, unlessKnown) => {
    const known = findServing(key);
    if (known !== undefined) {
      counted.hit();
      return known.answer;
    }
    counted.missed();
    if (unlessKnown === undefined) return askWithOthers(key, ask);
    // Whoever was kept waiting may find by then what others have asked.
    return unlessKnown(() => findServing(key)?.answer ?? askWithOthers(key, ask));
  };

  async function askWithOthers(key: string, ask: Ask): Promise<Answer> {
    const question = asking.get(key);
    if (question === undefined || !isFresh(question) || !isOfNow(question)) return askOnce(key, ask);
    const taken = endings.position();
    const answered = await question.answer;
    // One that was on its way when something ended is not for a call that came after that.
    return hasMissedNothing(answered, taken) ? answered.answer : recall(key, ask);
  }

  return recall;
}
