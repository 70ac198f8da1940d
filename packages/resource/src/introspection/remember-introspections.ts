import { type RememberingParts, rememberAnswers } from "../endings/remember-answers.ts";
import type { QuestionAllowance } from "../limits/question-allowance.ts";
import type { QuestionShare } from "../limits/question-share.ts";
import { hashOfToken } from "./access-token.ts";
import type { RememberedTokens } from "./remembered-tokens.ts";
import type {
  ActiveToken,
  AskedIntrospection,
  TokenDescription,
  TokenIntrospection,
} from "./token-introspection.ts";

/** Auth gives the time of its answer in whole seconds, rounded down (RFC 7519 `iat`, RFC 7662). */
const ANSWERED_WITHIN_MS = 1_000;

/** Dependencies of remembering introspections. */
export interface RememberingIntrospectionParts extends RememberingParts {
  readonly remembered: RememberedTokens;
  /** Limit on the unusable tokens that a TPP may send. */
  readonly allowance: QuestionAllowance;
  /** Limit on the new tokens that a TPP may send, usable ones included. */
  readonly share: QuestionShare;
}

/**
 * Remembers the descriptions of active tokens, so that auth is asked once about each, under the bounds of `rememberAnswers`.
 * Unusable tokens are not remembered: each counts against its TPP's allowance, so that no TPP uses up the questions to auth
 * for all. For the same reason every question, about a usable token too, counts against the share of the TPP that causes it.
 * The expiry of a token is no event, so it follows auth's clock: a jump of ours must not prolong a token.
 */
export function rememberIntrospections(
  introspection: AskedIntrospection,
  { remembered, allowance, share, ...parts }: RememberingIntrospectionParts,
): TokenIntrospection {
  const recall = rememberAnswers<TokenDescription, ActiveToken>(
    { name: "tokens", memory: remembered },
    parts,
  );
  return {
    describe: (token, { organisationIdentifier, call }) => {
      const ask = async () => {
        const { description, answeredAt, position } = await share.count(organisationIdentifier, () =>
          introspection.describe(token, call),
        );
        if (!description.usable) return { answer: description, position, lasting: undefined };
        const answeredBefore = answeredAt.getTime() + ANSWERED_WITHIN_MS;
        const milliseconds = Math.max(0, description.expiresAt.getTime() - answeredBefore);
        return { answer: description, position, lasting: { answer: description, milliseconds } };
      };
      const isOfTpp = (description: TokenDescription) =>
        description.usable && description.organisationIdentifier === organisationIdentifier;
      return recall(hashOfToken(token), ask, (work) => {
        // Checked in the turn in which auth is asked, and before the question is shared with another TPP's call.
        const withinShare = () => {
          share.requireRoom(organisationIdentifier);
          return work();
        };
        return allowance.ask(organisationIdentifier, withinShare, isOfTpp);
      });
    },
  };
}
