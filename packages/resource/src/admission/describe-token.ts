import type { TokenDescription, TokenIntrospection } from "../introspection/token-introspection.ts";
import { AllowanceUsedUp } from "../limits/question-allowance.ts";
import type { AdmissionNeeds } from "./admission.ts";
import { refusalOf, type WithToken } from "./attempt.ts";

/**
 * Gets auth's description of the token, new or cached; nothing in it is checked yet. Refuses with `too_many_unusable_tokens`
 * before auth is asked. Throws what `TokenIntrospection` throws when auth cannot be asked.
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
    throw error instanceof AllowanceUsedUp ? refuseForNow(attempt, error) : error;
  });
}

function refuseForNow(attempt: WithToken, { waitMilliseconds }: AllowanceUsedUp) {
  const continues = {
    continuesAt: new Date(attempt.now.getTime() + waitMilliseconds),
    retryAfterSeconds: Math.ceil(waitMilliseconds / 1000),
  };
  const detail = "too many of the tokens that are not cached were unusable";
  return refusalOf({ ...attempt, continues }, "too_many_unusable_tokens", detail);
}
