import { refusalOf, type WithActiveToken } from "./attempt.ts";

/**
 * Row 5: requires that the token is bound to this certificate. The thumbprint in the token (`cnf.x5t#S256`) must be that of
 * the connection's certificate (RFC 8705 section 3), so that a stolen token is worth nothing to the thief. Refuses with
 * `token_bound_to_other_certificate`.
 */
export function requireTokenBoundToCertificate<A extends WithActiveToken>(attempt: A): A {
  if (attempt.active.thumbprint === attempt.tpp.thumbprint) return attempt;
  throw refusalOf(attempt, "token_bound_to_other_certificate", `bound to ${attempt.active.thumbprint}`);
}

/**
 * Requires that token and certificate belong to the same TPP (COBS 1.3.1). This is defence in depth, in case auth ever binds
 * a token to another TPP's certificate. Refuses with `token_of_other_tpp`.
 */
export function requireTokenOfTpp<A extends WithActiveToken>(attempt: A): A {
  const owner = attempt.active.organisationIdentifier;
  if (owner === attempt.tpp.organisationIdentifier) return attempt;
  throw refusalOf(attempt, "token_of_other_tpp", `issued to ${owner}`);
}
