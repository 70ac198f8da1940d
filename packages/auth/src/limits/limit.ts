import type { RateLimitSettings } from "./rate-limit-settings.ts";

/**
 * Limits, and the party whose requests each counts:
 * - `…_tpp`: the organisation identifier of the certificate
 * - `…_application`: the application that a request names; where a certificate proves the TPP, the pair of both, so that a TPP's
 *   requests never count for another TPP's application
 * - `application_lists_tpp`, `page_address`: counted in each process separately
 * - `…_address`: the address of the PSU's browser; for `authorize_address`, sign-ins at pages of authorizations are counted in
 *   each process separately
 * - `authorize_pushed`: the pushed request with which an authorization begins; its application was counted when it pushed
 * - `…_caller`: the service of the bank; look-ups of consents to card issuers count separately, so that whoever causes many of
 *   them takes nothing from introspection
 */
export const LIMIT_NAMES = [
  "application_changes_tpp",
  "application_lists_tpp",
  "par_tpp",
  "par_application",
  "token_tpp",
  "token_application",
  "revoke_tpp",
  "revoke_application",
  "authorize_address",
  "authorize_application",
  "authorize_pushed",
  "sign_in_address",
  "page_address",
  "introspect_caller",
  "card_consent_caller",
] as const;

/** A limit of how many there are at once, not of a minute: `par_waiting`, unused pushed requests of an application. */
export type StandingLimitName = "par_waiting";

/** One of {@link LIMIT_NAMES}. */
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What a request counts for: a limit, and the party. */
export interface Counted {
  readonly limit: LimitName;
  readonly of: string;
}

/** A TPP may send as many requests as this many busy applications. */
const BUSY_APPLICATIONS_OF_TPP = 5;
/** A list may have megabytes, and costs the same for one request as for a hundred. */
const LISTS_OF_TPP = 60;
/** A PSU may reload the page, or begin again in another browser. */
const LOADS_OF_PUSHED_REQUEST = 60;
/** A PSU completes an authorization in six requests, plus typing errors, reloads and changes of language. */
const PAGES_OF_AUTHORIZATION = 10;

/** Computes the requests per minute that each limit allows. */
export function limitsPerMinute(settings: RateLimitSettings): Readonly<Record<LimitName, number>> {
  const ofTpp = (perApplication: number) => perApplication * BUSY_APPLICATIONS_OF_TPP;
  return {
    application_changes_tpp: settings.applicationChanges,
    application_lists_tpp: LISTS_OF_TPP,
    par_tpp: ofTpp(settings.pushedRequests),
    par_application: settings.pushedRequests,
    token_tpp: ofTpp(settings.tokenRequests),
    token_application: settings.tokenRequests,
    revoke_tpp: ofTpp(settings.tokenRequests),
    revoke_application: settings.tokenRequests,
    authorize_address: settings.addressRequests,
    authorize_application: settings.authorizations,
    authorize_pushed: LOADS_OF_PUSHED_REQUEST,
    sign_in_address: settings.addressRequests,
    page_address: settings.addressRequests * PAGES_OF_AUTHORIZATION,
    introspect_caller: settings.introspections,
    card_consent_caller: settings.introspections,
  };
}
