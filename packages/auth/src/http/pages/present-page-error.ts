/** The one mapping from thrown errors to pages. */
import { type Language, preferredLanguage } from "@cobs/cobs-model";
import {
  EDGE_STATUS,
  EdgeRefusal,
  type FailedCall,
  isDatabaseUnavailable,
  type PresentedError,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";
import { FormRefusal } from "../../forms/form-refusal.ts";
import { PendingAuthorizationGone } from "../../journey/pending-authorization.ts";
import { RateLimited } from "../../limits/rate-limited.ts";
import type { MessageView } from "../../pages/page-view.ts";
import type { Pages } from "../../pages/pages.ts";
import { AUTHENTICATOR_PATH, CONSENTS_PATH, INTERACTION_PATH, SIGNING_PATH } from "../../pages/places.ts";
import type { MessageKey } from "../../pages/texts/texts.ts";
import { AuthorizationRefusal, UNSUPPORTED_PARAMETERS } from "../../provider/authorization-refusal.ts";
import { SignInBusy } from "../../psu/psu-login.ts";
import { findKeptLanguage } from "./choose-language.ts";

/** The page, its status, and facts only for the log. */
interface PageError {
  readonly message: MessageKey;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly reason?: string | undefined;
  readonly logFacts: Readonly<Record<string, unknown>>;
}

/** The facts of a failed call that its page needs. */
export interface FailedVisit {
  readonly requestId: string;
  readonly path: string;
  readonly language: Language;
}

const RETRY_SOON = { "Retry-After": "2" };
/** Path of a resumed authorization at the provider's endpoint, which has accepted it before. */
const RESUMED = /^\/oauth\/authorize\/./;

/**
 * Reasons for the application's developer why a request cannot be answered to the application, by code; never quotes
 * the request.
 */
const REASONS: Readonly<Partial<Record<string, string>>> = {
  invalid_client: "client_id is not a registered application",
  invalid_redirect_uri: "redirect_uri must be identical to one that the application has registered",
  invalid_request:
    "client_id, redirect_uri or another parameter is missing, repeated, contains NUL or is not UTF-8, or all have more than 8,192 bytes",
  invalid_request_uri: "request_uri is unknown, used or expired",
  ...UNSUPPORTED_PARAMETERS,
};

/** Reason for other codes: with a `redirect_uri` they would be sent there. */
const WITHOUT_ADDRESS = "and redirect_uri is missing";

/** Messages after which the same page can be opened again. */
const REPEATABLE: readonly MessageKey[] = [
  "busy",
  "failed",
  "form_malformed",
  "form_untrusted",
  "rate_limited",
  "request_refused",
  "resumption_unavailable",
  "unavailable",
];
/** Path of one of our pages, or of a resumed authorization; without the form's name that may follow. */
const PLACE = new RegExp(
  `^(?:(?:${INTERACTION_PATH}|/oauth/authorize|${SIGNING_PATH})/[\\w~-]+|${CONSENTS_PATH}|${AUTHENTICATOR_PATH})(?=/|$)`,
);

/** Makes the presenter of errors as pages, in the language that the PSU chose, otherwise the one that the browser prefers. */
export function createPageErrorPresenter(pages: Pages): (error: unknown, call: FailedCall) => PresentedError {
  return (error, { requestId, path, acceptLanguage, cookie }) => {
    const language = findKeptLanguage(cookie) ?? preferredLanguage(acceptLanguage);
    return presentPageError(pages, error, { requestId, path, language });
  };
}

/** Presents an error as a page in the given language; an unknown one is a 500 with only the request id. */
export function presentPageError(pages: Pages, error: unknown, visit: FailedVisit): PresentedError {
  const { message, status, headers = {}, reason, logFacts } = describe(error, visit.path);
  const { requestId, language } = visit;
  const told = { message, requestId, ...(reason !== undefined && { reason }) };
  const html = pages.message({ language }, { ...told, ...wayOn(message, visit.path) });
  return { answer: { status, headers, html }, logFacts };
}

/**
 * Offers a way to continue: the page of a form, whose address is below it; or, for a PSU who cannot be sent back to the
 * application, "my consents".
 */
function wayOn(message: MessageKey, path: string): Pick<MessageView, "retryPath" | "onPath"> {
  if (message === "return_address_removed") return { onPath: CONSENTS_PATH };
  const retryPath = PLACE.exec(path)?.[0];
  return retryPath === undefined || !REPEATABLE.includes(message) ? {} : { retryPath };
}

function describe(error: unknown, path: string): PageError {
  if (error instanceof EdgeRefusal) return describeEdgeRefusal(error);
  if (error instanceof AuthorizationRefusal) return describeAuthorizationRefusal(error, path);
  if (error instanceof FormRefusal) {
    const { code, detail } = error;
    return {
      message: code,
      status: code === "form_untrusted" ? 403 : 400,
      logFacts: { refusal: code, detail },
    };
  }
  if (error instanceof PendingAuthorizationGone) {
    return { message: "interaction_unknown", status: 404, logFacts: { refusal: "interaction_unknown" } };
  }
  if (error instanceof SignInBusy) {
    return { message: "busy", status: 503, headers: RETRY_SOON, logFacts: { refusal: "sign_in_busy" } };
  }
  if (error instanceof RateLimited) {
    const headers = { "Retry-After": String(error.retryAfterSeconds) };
    const logFacts = { refusal: "rate_limited", limit: error.limit };
    return { message: "rate_limited", status: 429, headers, logFacts };
  }
  if (isDatabaseUnavailable(error) || error instanceof PrivateServiceUnavailable) {
    // Whether the authorization can still be resumed is unknown: it may have been resumed before the failure.
    const message = RESUMED.test(path) ? "resumption_unavailable" : "unavailable";
    return { message, status: 503, headers: RETRY_SOON, logFacts: { error } };
  }
  return { message: "failed", status: 500, logFacts: { error } };
}

function describeEdgeRefusal({ code, path }: EdgeRefusal): PageError {
  const message = code === "route_unknown" ? "not_found" : "request_refused";
  return { message, status: EDGE_STATUS[code], logFacts: { refusal: code, at: path } };
}

/** Never a redirect: these errors are the ones that must not redirect (RFC 6749 4.1.2.1). */
function describeAuthorizationRefusal(
  { code, status, message }: AuthorizationRefusal,
  path: string,
): PageError {
  const logFacts = { refusal: code, detail: message };
  if (status === 503) return { message: "unavailable", status, headers: RETRY_SOON, logFacts };
  if (code === "tpp_blocked") return { message: code, status, logFacts };
  if (status >= 500) return { message: "failed", status, logFacts };
  if (RESUMED.test(path)) {
    // The PSU's answer counts nevertheless.
    const isRemoved = code === "invalid_redirect_uri";
    return { message: isRemoved ? "return_address_removed" : "interaction_unknown", status, logFacts };
  }
  const reason = `${code}, ${REASONS[code] ?? WITHOUT_ADDRESS}`;
  return { message: "request_unacceptable", status, reason, logFacts };
}
