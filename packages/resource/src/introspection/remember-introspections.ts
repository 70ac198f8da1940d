import type { Clock } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";
import { type AccessToken, hashOfToken } from "./access-token.ts";
import type { ActiveToken, TokenDescription, TokenIntrospection } from "./token-introspection.ts";

const MAX_REMEMBERED_TOKENS = 10_000;

interface Sent<T> {
  readonly sentAt: number;
  readonly what: T;
}

/**
 * Remembers what was said about active tokens, so that most calls cost one look-up.
 *
 * An answer serves while its question was sent at most `freshnessSeconds` ago on the monotonic clock: counted from the
 * answer, a slow one could outlive the bound. Callers with one token share one question under the same bound.
 * Unusable tokens are not remembered: anybody can make up any number of them, and they would push out the good ones.
 */
export function rememberIntrospections(
  introspection: TokenIntrospection,
  { freshnessSeconds, clock }: { readonly freshnessSeconds: number; readonly clock: Clock },
): TokenIntrospection {
  const remembered = new LRUCache<string, Sent<ActiveToken>>({ max: MAX_REMEMBERED_TOKENS });
  const asking = new Map<string, Sent<Promise<TokenDescription>>>();

  const isFresh = ({ sentAt }: Sent<unknown>) =>
    clock.monotonicMilliseconds() - sentAt <= freshnessSeconds * 1000;

  async function ask(token: AccessToken, key: string): Promise<TokenDescription> {
    const sentAt = clock.monotonicMilliseconds();
    const question = { sentAt, what: introspection.describe(token) };
    asking.set(key, question);
    // A question that was overtaken by a later one must not bring back what that one has ended.
    const isLatest = () => asking.get(key) === question;
    try {
      const answer = await question.what;
      if (answer.usable && isLatest()) remembered.set(key, { sentAt, what: answer });
      if (!answer.usable) remembered.delete(key);
      return answer;
    } finally {
      if (isLatest()) asking.delete(key);
    }
  }

  return {
    describe: async (token) => {
      const key = hashOfToken(token);
      const known = remembered.get(key);
      if (known !== undefined && isFresh(known)) return known.what;
      const question = asking.get(key);
      if (question !== undefined && isFresh(question)) return question.what;
      return ask(token, key);
    },
  };
}
