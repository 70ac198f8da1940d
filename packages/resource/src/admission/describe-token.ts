import type { TokenDescription, TokenIntrospection } from "../introspection/token-introspection.ts";
import { AllowanceUsedUp } from "../limits/question-allowance.ts";
import { ShareUsedUp } from "../limits/question-share.ts";
import type { AdmissionNeeds } from "./admission.ts";
import type { AdmissionRefusalCode } from "./admission-refusal.ts";
import { refusalOf, type WithToken } from "./attempt.ts";

const TOO_MANY_UNUSABLE = [
  "too_many_unusable_tokens",
  "too many of the tokens that are not cached were unusable",
] as const;
const TOO_MANY_NEW = ["too_many_new_tokens", "too many tokens were not cached"] as const;

/**
 * Gets auth's description of the token, new or cached; nothing in it is checked yet. Refuses with `too_many_unusable_tokens`
 * or `too_many_new_tokens` before auth is asked. Throws what `TokenIntrospection` throws when auth cannot be asked.
 */
export function describeToken<Needs extends AdmissionNeeds>(
  attempt: WithToken<Needs>,
  introspection: TokenIntrospection,
): TokenDescription | Promise<TokenDescription> {
  const { organisationIdentifier } = attempt.tpp;
  const described = introspection.describe(attempt.token, { organisationIdentifier, call: attempt.call });
  // Nearly all descriptions are cached, and need no promise of ours.
  if (!(described instanceof Promise)) return described;
  return described.catch((error: unknown) => {
    if (error instanceof AllowanceUsedUp) throw refuseForNow(attempt, error, TOO_MANY_UNUSABLE);
    if (error instanceof ShareUsedUp) throw refuseForNow(attempt, error, TOO_MANY_NEW);
    throw error;
  });
}

/** Refuses a token that is not cached. */
function refuseForNow(
  attempt: WithToken,
  { waitMilliseconds }: AllowanceUsedUp | ShareUsedUp,
  [code, detail]: readonly [AdmissionRefusalCode, string],
) {
  const continues = {
    continuesAt: new Date(attempt.now.getTime() + waitMilliseconds),
    retryAfterSeconds: Math.ceil(waitMilliseconds / 1000),
  };
  return refusalOf({ ...attempt, continues }, code, detail);
}
