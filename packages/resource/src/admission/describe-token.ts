import { AllowanceUsedUp } from "../introspection/question-allowance.ts";
import type { TokenDescription, TokenIntrospection } from "../introspection/token-introspection.ts";
import type { AdmissionNeeds } from "./admission.ts";
import { refusalOf, type WithToken } from "./attempt.ts";

/**
 * What auth says of the token, or is remembered to have said; nothing of it is checked yet. Refuses with
 * `too_many_unusable_tokens` before auth is asked. Throws what `TokenIntrospection` throws when nothing can be known.
 */
export async function describeToken<Needs extends AdmissionNeeds>(
  attempt: WithToken<Needs>,
  introspection: TokenIntrospection,
): Promise<TokenDescription> {
  const { organisationIdentifier } = attempt.tpp;
  try {
    return await introspection.describe(attempt.token, { organisationIdentifier, call: attempt.call });
  } catch (error) {
    if (!(error instanceof AllowanceUsedUp)) throw error;
    throw refuseForNow(attempt, error);
  }
}

function refuseForNow(attempt: WithToken, { waitMilliseconds }: AllowanceUsedUp) {
  const continues = {
    continuesAt: new Date(attempt.now.getTime() + waitMilliseconds),
    retryAfterSeconds: Math.max(1, Math.ceil(waitMilliseconds / 1000)),
  };
  const detail = "of the tokens that are not remembered too many were unusable";
  return refusalOf({ ...attempt, continues }, "too_many_unusable_tokens", detail);
}
