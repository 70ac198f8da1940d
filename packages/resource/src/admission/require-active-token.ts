import type { TokenIntrospection } from "../introspection/token-introspection.ts";
import { type Attempt, type OfTpp, refusalOf, type WithActiveToken, type WithToken } from "./attempt.ts";
import { readAccessToken } from "./read-access-token.ts";

/** A token in `Authorization`; refuses with `token_absent`, `token_malformed`, `token_in_query`, `token_repeated`. */
export function requireToken<A extends OfTpp<Attempt>>(attempt: A): WithToken<A> {
  const sent = readAccessToken(attempt.call);
  if (sent.kind === "token") return { ...attempt, token: sent.token };
  throw refusalOf(
    attempt,
    sent.kind === "absent" ? "token_absent" : sent.kind,
    "no usable token in the call",
  );
}

/**
 * Row 4: what auth says of the token, at most a few seconds old, and not yet past its end by our clock. Refuses with
 * `token_inactive`, `token_wrong_audience` or `token_not_bound`; whose certificate it is bound to is not yet checked.
 */
export async function requireActiveToken<A extends WithToken<OfTpp<Attempt>>>(
  attempt: A,
  introspection: TokenIntrospection,
): Promise<WithActiveToken<A>> {
  const active = await introspection.describe(attempt.token);
  if (!active.usable) throw refusalOf(attempt, active.code, active.detail);
  if (active.expiresAt <= attempt.now)
    throw refusalOf(attempt, "token_inactive", "expired since it was asked");
  return { ...attempt, active };
}
