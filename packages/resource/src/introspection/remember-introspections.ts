import type { Clock, CountCache } from "@cobs/service-edge";
import type { Endings } from "../endings/follow-endings.ts";
import { type AccessToken, hashOfToken } from "./access-token.ts";
import type { RememberedToken, RememberedTokens } from "./remembered-tokens.ts";
import type {
  ActiveToken,
  AskedIntrospection,
  IntrospectionAnswer,
  TokenDescription,
  TokenIntrospection,
} from "./token-introspection.ts";

interface Question {
  readonly sentAt: number;
  readonly answer: Promise<IntrospectionAnswer>;
}

/** What remembering stands on. */
export interface RememberingParts {
  readonly remembered: RememberedTokens;
  readonly endings: Pick<Endings, "position" | "isFresh">;
  readonly freshnessSeconds: number;
  readonly clock: Clock;
  /** Told of the look-ups in `tokens`; what is remembered and too old to serve is a miss. */
  readonly countCache: CountCache;
}

/**
 * Remembers what was said about active tokens, so that each is asked about once.
 *
 * An answer serves while its own question, or the newest one about endings that left no gap, was sent at most
 * `freshnessSeconds` ago on the monotonic clock: counted from an answer, a slow one could outlive the bound. An answer
 * that is older than the endings that were taken already may have missed one of them: it is used once and not remembered.
 * Callers with one token share one question under the same bounds. Unusable tokens are not remembered: anybody can make
 * up any number of them, and they would push out the good ones.
 */
export function rememberIntrospections(
  introspection: AskedIntrospection,
  { remembered, endings, freshnessSeconds, clock, countCache }: RememberingParts,
): TokenIntrospection {
  const counted = countCache("tokens", remembered.size);
  const asking = new Map<string, Question>();

  const isFresh = ({ sentAt }: Pick<Question, "sentAt">) =>
    clock.monotonicMilliseconds() - sentAt <= freshnessSeconds * 1000;

  /** That a token runs out is no event, so it does by auth's clock: a jump of ours must not make it live longer. */
  const endOf = ({ answeredAt }: IntrospectionAnswer, { expiresAt }: ActiveToken, sentAt: number) =>
    sentAt + expiresAt.getTime() - answeredAt.getTime();

  /** Whether all that ends after the answer was made is still to be told to us. */
  const hasMissedNothing = ({ position }: IntrospectionAnswer, taken = endings.position()) =>
    position !== undefined && taken !== undefined && position >= taken;

  const serves = (known: RememberedToken) =>
    clock.monotonicMilliseconds() < known.endsAt && (endings.isFresh() || isFresh(known));

  async function ask(token: AccessToken, hash: string): Promise<TokenDescription> {
    const sentAt = clock.monotonicMilliseconds();
    const question = { sentAt, answer: introspection.describe(token) };
    asking.set(hash, question);
    // A question that was overtaken by a later one must not bring back what that one has ended.
    const isLatest = () => asking.get(hash) === question;
    try {
      const answer = await question.answer;
      const { description } = answer;
      if (!description.usable) remembered.forget(hash);
      else if (isLatest() && hasMissedNothing(answer))
        remembered.keep(hash, { sentAt, endsAt: endOf(answer, description, sentAt), token: description });
      return description;
    } finally {
      if (isLatest()) asking.delete(hash);
    }
  }

  async function describe(token: AccessToken): Promise<TokenDescription> {
    const hash = hashOfToken(token);
    const known = remembered.find(hash);
    if (known !== undefined && serves(known)) {
      counted.hit();
      return known.token;
    }
    counted.missed();
    const question = asking.get(hash);
    if (question === undefined || !isFresh(question)) return ask(token, hash);
    const taken = endings.position();
    const answer = await question.answer;
    // One that was on its way when something ended is not for a call that came after that.
    return hasMissedNothing(answer, taken) ? answer.description : describe(token);
  }

  return { describe };
}
