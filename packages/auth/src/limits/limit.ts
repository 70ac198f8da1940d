import type { RateLimitSettings } from "./rate-limit-settings.ts";

/**
 * What is counted, and by whom it is counted apart:
 * - `…_tpp`: the organisation identifier of the certificate
 * - `…_application`: the application that a request names; where a certificate proves the TPP, both together, so that
 *   nobody's calls count for another TPP's application
 * - `application_lists_tpp`, `page_address`: in each process by itself
 * - `…_address`: the address of the PSU's browser; of `authorize_address` the sign-ins at pages of authorizations in each process
 *   by itself
 * - `authorize_pushed`: the pushed request with which an authorization begins; its application was counted when it pushed
 * - `…_caller`: the service of the bank; consents to card issuers by themselves, so that whoever makes it look up many of them
 *   takes nothing from introspection
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

/** One of {@link LIMIT_NAMES}. */
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What a call counts for: a limit, and whose. */
export interface Counted {
  readonly limit: LimitName;
  readonly of: string;
}

/** A TPP may call as often as so many busy applications. */
const BUSY_APPLICATIONS_OF_TPP = 5;
/** A list may have megabytes, and is made for one call as for a hundred. */
const LISTS_OF_TPP = 60;
/** A PSU may reload the page, or begin again in another browser. */
const LOADS_OF_PUSHED_REQUEST = 60;
/** A PSU goes the whole way of an authorization in six calls, mistypes, reloads, and chooses another language. */
const PAGES_OF_AUTHORIZATION = 10;

/** How often each may come in a minute. */
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
