import type { OptionalPsuNeeds, PsuNeeds } from "./admission.ts";
import { refusalOf, type WithActiveToken } from "./attempt.ts";

/** An attempt whose certificate and token are proven to belong together. */
export type BoundAttempt = WithActiveToken<PsuNeeds | OptionalPsuNeeds>;

/** Requires that the token's scopes cover the resource (RFC 6750 section 3.1); refuses with `scope_missing`. */
export function requireScope<A extends BoundAttempt>(attempt: A): A {
  const { scopes } = attempt.active;
  if (scopes.includes(attempt.needs.scope)) return attempt;
  throw refusalOf(attempt, "scope_missing", `the token has ${scopes.join(" ") || "no scope"}`);
}

/** Requires that the PSU's consent, in its current state, covers the service of the scope; refuses with `consent_ended`. */
export function requireConsent<A extends BoundAttempt>(attempt: A): A {
  const { id, services } = attempt.active.consent;
  if (services.includes(attempt.needs.scope)) return attempt;
  throw refusalOf(attempt, "consent_ended", `consent ${id} covers ${services.join(" ") || "nothing"}`);
}
