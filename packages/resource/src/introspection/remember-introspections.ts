import { type RememberingParts, rememberAnswers } from "../endings/remember-answers.ts";
import type { QuestionAllowance } from "../limits/question-allowance.ts";
import { hashOfToken } from "./access-token.ts";
import type { RememberedTokens } from "./remembered-tokens.ts";
import type {
  ActiveToken,
  AskedIntrospection,
  TokenDescription,
  TokenIntrospection,
} from "./token-introspection.ts";

/** When auth answered it tells in whole seconds, without the part of one that had passed (RFC 7519 `iat`, RFC 7662). */
const ANSWERED_WITHIN_MS = 1_000;

/** What introspections are remembered with. */
export interface RememberingIntrospectionParts extends RememberingParts {
  readonly remembered: RememberedTokens;
  /** How many unusable tokens a TPP may send. */
  readonly allowance: QuestionAllowance;
}

/**
 * Remembers what was said about active tokens, so that each is asked about once, under the bounds of `rememberAnswers`.
 * Unusable ones are not remembered: each weighs on what its TPP is allowed, so that nobody uses up how often auth may be asked
 * for all. That a token runs out is no event, so it does by auth's clock: a jump of ours must not make it live longer.
 */
export function rememberIntrospections(
  introspection: AskedIntrospection,
  { remembered, allowance, ...parts }: RememberingIntrospectionParts,
): TokenIntrospection {
  const recall = rememberAnswers<TokenDescription, ActiveToken>(
    { name: "tokens", memory: remembered },
    parts,
  );
  return {
    describe: (token, { organisationIdentifier, call }) => {
      const ask = async () => {
        const { description, answeredAt, position } = await introspection.describe(token, call);
        if (!description.usable) return { answer: description, position, lasting: undefined };
        const answeredBefore = answeredAt.getTime() + ANSWERED_WITHIN_MS;
        const milliseconds = Math.max(0, description.expiresAt.getTime() - answeredBefore);
        return { answer: description, position, lasting: { answer: description, milliseconds } };
      };
      const isOfTpp = (description: TokenDescription) =>
        description.usable && description.organisationIdentifier === organisationIdentifier;
      return recall(hashOfToken(token), ask, (work) => allowance.ask(organisationIdentifier, work, isOfTpp));
    },
  };
}
