import { RegistrationRefusal } from "@cobs/cobs-model";
import {
  CertificateRefusal,
  describeForTpp,
  isCertificateRefusalCode,
  RevocationUnavailable,
} from "@cobs/psd2-certificates";
import {
  BankCallerRefusal,
  EDGE_STATUS,
  EdgeRefusal,
  type FailedCall,
  isDatabaseUnavailable,
  type PresentedError,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";
import { ApplicationRefusal, type ApplicationRefusalCode } from "../applications/application-refusal.ts";
import { RateLimited } from "../limits/rate-limited.ts";
import { ClientRefusal } from "../provider/client-refusal.ts";
import { TppRefusal } from "../tpp/tpp-refusal.ts";
import { type OAuthError, presentOAuthErrorAnswer } from "./oauth-error.ts";

const RETRY_AFTER_SECONDS = "3";

/** Status and code of each refusal about applications (COBS PDF 1.4.1, tables of errors). */
const APPLICATION_ERRORS: Readonly<Record<ApplicationRefusalCode, readonly [status: number, error: string]>> =
  {
    application_unknown: [401, "invalid_client"],
    role_missing: [403, "insufficient_scope"],
    no_scope_possible: [403, "insufficient_scope"],
    scope_not_offered: [400, "invalid_scope"],
    too_many_applications: [400, "invalid_request"],
    client_id_missing: [400, "invalid_request"],
    client_id_contradictory: [400, "invalid_request"],
    client_id_malformed: [400, "invalid_request"],
    profile_downgrade: [400, "invalid_request"],
    profile_required: [400, "invalid_request"],
    version_outdated: [412, "invalid_request"],
    precondition_malformed: [400, "invalid_request"],
    jwks_uri_unsupported: [400, "invalid_request"],
    secret_unused: [400, "invalid_request"],
  };

function ofEdge({ code, message }: EdgeRefusal): OAuthError {
  return { status: EDGE_STATUS[code], error: "invalid_request", description: message };
}

/** Writes each sentence once, with all the fields it applies to, so that every field is named. */
function tellTogether(faults: RegistrationRefusal["faults"]): string {
  const fields = new Map<string, readonly string[]>();
  for (const { path = "", message } of faults) {
    const wrong = message.slice(path.length);
    fields.set(wrong, [...(fields.get(wrong) ?? []), path]);
  }
  const told = [...fields].map(([wrong, [first = "", ...others]]) =>
    others.length === 0 ? `${first}${wrong}` : `${first} (${others.join(", ")} too)${wrong}`,
  );
  return told.join("; ");
}

/** A malformed field takes precedence over a return address, and that over a scope; the description has all faults. */
function ofRegistration({ faults }: RegistrationRefusal): OAuthError {
  const codes = ["invalid_request", "invalid_redirect_uri", "invalid_scope"] as const;
  const error = codes.find((code) => faults.some((fault) => fault.code === code)) ?? "invalid_request";
  return { status: 400, error, description: tellTogether(faults) };
}

/** Prefixes the code when it is about the caller's certificate or a block, for programs; codes about clients stay hidden. */
function withCode(code: string, sentence: string): string {
  const isTold = isCertificateRefusalCode(code) || code === "tpp_blocked" || code === "certificate_blocked";
  return isTold ? `${code}: ${sentence}` : sentence;
}

function ofCertificate({ code }: CertificateRefusal): OAuthError {
  const error = code === "certificate_absent" ? "unauthorized_client" : "access_denied";
  return { status: 401, error, description: withCode(code, describeForTpp(code)) };
}

function ofTpp({ code, message }: TppRefusal): OAuthError {
  return { status: 401, error: "access_denied", description: withCode(code, message) };
}

function ofApplication(refusal: ApplicationRefusal): OAuthError {
  const [status, error] = APPLICATION_ERRORS[refusal.code];
  return { status, error, description: refusal.message };
}

function ofBankCaller({ message }: BankCallerRefusal): OAuthError {
  return { status: 403, error: "access_denied", description: message };
}

function ofUnavailable(): OAuthError {
  const headers = { "Retry-After": RETRY_AFTER_SECONDS };
  return { status: 503, error: "server_error", description: "try again in a moment", headers };
}

function ofClient({ code, message, challenge }: ClientRefusal): OAuthError {
  if (code === "profile_required") return { status: 400, error: "unauthorized_client", description: message };
  const headers = challenge === undefined ? {} : { headers: { "WWW-Authenticate": challenge } };
  return { status: 401, error: "invalid_client", description: withCode(code, message), ...headers };
}

/** No standard has a code for it: this one says what to do (RFC 6749 4.1.2.1), the status why (RFC 6585 section 4). */
function ofRateLimited({ retryAfterSeconds }: RateLimited): OAuthError {
  return {
    status: 429,
    error: "temporarily_unavailable",
    description: `too many requests; try again in ${retryAfterSeconds === 1 ? "a second" : `${retryAfterSeconds} seconds`}`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  };
}

function describe(error: unknown): OAuthError | undefined {
  if (error instanceof EdgeRefusal) return ofEdge(error);
  if (error instanceof RegistrationRefusal) return ofRegistration(error);
  if (error instanceof CertificateRefusal) return ofCertificate(error);
  if (error instanceof TppRefusal) return ofTpp(error);
  if (error instanceof ApplicationRefusal) return ofApplication(error);
  if (error instanceof ClientRefusal) return ofClient(error);
  if (error instanceof BankCallerRefusal) return ofBankCaller(error);
  if (error instanceof RateLimited) return ofRateLimited(error);
  if (error instanceof RevocationUnavailable || error instanceof PrivateServiceUnavailable)
    return ofUnavailable();
  if (isDatabaseUnavailable(error)) return ofUnavailable();
  return undefined;
}

function whose({ tpp }: RevocationUnavailable): PresentedError["logFacts"] {
  return { tpp: tpp?.organisationIdentifier, thumbprint: tpp?.thumbprint };
}

function factsOf(error: unknown): PresentedError["logFacts"] {
  if (error instanceof RegistrationRefusal)
    return { refusal: error.faults[0]?.code, faults: error.faults.length };
  if (error instanceof EdgeRefusal || error instanceof ApplicationRefusal) return { refusal: error.code };
  if (error instanceof RateLimited) return { refusal: "rate_limited", limit: error.limit };
  if (error instanceof RevocationUnavailable)
    return { refusal: "revocation_unavailable", detail: error.detail, ...whose(error) };
  if (
    error instanceof CertificateRefusal ||
    error instanceof TppRefusal ||
    error instanceof ClientRefusal ||
    error instanceof BankCallerRefusal
  ) {
    return { refusal: error.code, detail: error.detail };
  }
  return { error };
}

/**
 * The one mapping from thrown errors to the flat errors of the enrolment resources (COBS PDF 1.4.7). Anything but a
 * refusal is a 500 with the request id and nothing else.
 */
export function presentOAuthError(error: unknown, call: FailedCall): PresentedError {
  const failed = {
    status: 500,
    error: "server_error",
    description: `the server failed; request ${call.requestId}`,
  };
  return presentOAuthErrorAnswer(describe(error) ?? failed, factsOf(error));
}

/** The body for bytes that are not an HTTP request (400, 408, 431). */
export function presentOAuthProtocolError(status: number): string {
  const descriptions: Readonly<Record<number, string>> = {
    408: "the request did not arrive in time",
    431: "the header fields are too large",
  };
  const error_description =
    descriptions[status] ?? "the request is not well-formed HTTP, or its method is unknown";
  return JSON.stringify({ error: "invalid_request", error_description });
}
