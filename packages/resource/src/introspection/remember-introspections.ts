import { type RememberingParts, rememberAnswers } from "../endings/remember-answers.ts";
import { hashOfToken } from "./access-token.ts";
import type { RememberedTokens } from "./remembered-tokens.ts";
import type {
  ActiveToken,
  AskedIntrospection,
  TokenDescription,
  TokenIntrospection,
} from "./token-introspection.ts";

/**
 * Remembers what was said about active tokens, so that each is asked about once, under the bounds of `rememberAnswers`.
 * Unusable ones are not remembered. That a token runs out is no event, so it does by auth's clock: a jump of ours must not
 * make it live longer.
 */
export function rememberIntrospections(
  introspection: AskedIntrospection,
  { remembered, ...parts }: RememberingParts & { readonly remembered: RememberedTokens },
): TokenIntrospection {
  const recall = rememberAnswers<TokenDescription, ActiveToken>(
    { name: "tokens", memory: remembered },
    parts,
  );
  return {
    describe: (token, onBehalf) =>
      recall(hashOfToken(token), async () => {
        const { description, answeredAt, position } = await introspection.describe(token, onBehalf);
        if (!description.usable) return { answer: description, position, lasting: undefined };
        const milliseconds = description.expiresAt.getTime() - answeredAt.getTime();
        return { answer: description, position, lasting: { answer: description, milliseconds } };
      }),
  };
}
