import type { TokenDescription } from "../introspection/token-introspection.ts";
import type { AdmissionNeeds } from "./admission.ts";
import { type OfTpp, refusalOf, type WithActiveToken, type WithToken } from "./attempt.ts";
import { readAccessToken } from "./read-access-token.ts";

/** Requires a token in `Authorization`; refuses with `token_absent`, `token_malformed`, `token_in_query`, `token_repeated`. */
export function requireToken<Needs extends AdmissionNeeds>(attempt: OfTpp<Needs>): WithToken<Needs> {
  const { call, needs, now, tpp } = attempt;
  const sent = readAccessToken(call);
  if (sent.kind === "token") return { call, needs, now, tpp, token: sent.token };
  throw refusalOf(
    attempt,
    sent.kind === "absent" ? "token_absent" : sent.kind,
    "the call has no usable token",
  );
}

/**
 * Row 4: requires a token that auth described as usable, at most a few seconds ago, and that has not expired by our clock.
 * Refuses with `token_inactive`, `token_wrong_audience` or `token_not_bound`. To which certificate the token is bound is not
 * checked yet.
 */
export function requireActiveToken<Needs extends AdmissionNeeds>(
  attempt: WithToken<Needs>,
  described: TokenDescription,
): WithActiveToken<Needs> {
  const { call, needs, now, tpp } = attempt;
  if (!described.usable) throw refusalOf(attempt, described.code, described.detail);
  if (described.expiresAt <= now) throw refusalOf(attempt, "token_inactive", "expired since introspection");
  return { call, needs, now, tpp, active: described };
}
