/** The only mapping from an error to the TPP's answer: the error payload of COBS (PDF 1.2.10.1). */
import { ContentRefusal, type Fault, presentErrors } from "@cobs/cobs-model";
import { RevocationUnavailable } from "@cobs/psd2-certificates";
import {
  type Answer,
  EDGE_STATUS,
  EdgeRefusal,
  type FailedCall,
  type PresentedError,
} from "@cobs/service-edge";
import { AdmissionRefusal } from "../admission/admission-refusal.ts";
import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";
import { CoreUnavailable, describeCoreFailure } from "../bank/core-unavailable.ts";
import { LimitRefusal, type LimitRefusalCode } from "../limits/limit-refusal.ts";
import { EDGE_CODE, httpStatusOf, STATUS_PRECEDENCE, tellsOfConsent } from "./cobs-status.ts";
import { describeAdmissionRefusal, parametersOfRefusal } from "./describe-admission-refusal.ts";
import { isTemporary } from "./is-temporary.ts";
import { presentChallenge } from "./present-challenge.ts";
import { presentTooOften } from "./present-too-often.ts";

const RETRY_AFTER_SECONDS = "2";

/** Table: what the TPP is told about each limit. */
const LIMITS: Readonly<Record<LimitRefusalCode, string>> = {
  access_limit:
    "the accesses to this that are allowed without the PSU in 24 hours are used up (RTS Article 36(5)(b)); if the PSU is involved, send User-Involved: true",
  balance_check_limit:
    "you have sent too many questions about this account for now, or asked about too many different amounts on it; in the latter case, you may still ask about amounts that you have asked about before",
  calls_at_once:
    "too many of your calls are in progress at the same time; wait for answers before you send more",
  card_consent_limit:
    "you have asked about too many accounts that do not exist or have no consent for you; you may still ask about those for which you just got an answer",
  payment_limit:
    "you have entered too many payments for now; a payment sent again with its Idempotency-Key is still answered",
};

/** Presents an error of a TPP's call; an unknown error becomes a 500 with the request id and nothing else. */
export function presentError(error: unknown, call: FailedCall): PresentedError {
  if (error instanceof AdmissionRefusal) return presentAdmissionRefusal(error, call);
  if (error instanceof ContentRefusal) return presentContentRefusal(error, call);
  if (error instanceof EdgeRefusal) return presentEdgeRefusal(error);
  if (error instanceof LimitRefusal) return presentTooOften(error, LIMITS[error.code]);
  if (isTemporary(error)) return presentUnavailable(error);
  return {
    answer: cobsAnswer(500, narrative(`the call failed; its request id is ${call.requestId}`)),
    logFacts: { error },
  };
}

/** Writes the body for bytes that are not an HTTP request (400, 408, 431). */
export function presentProtocolError(status: number): string {
  const messages: Readonly<Record<number, string>> = {
    408: "the request did not arrive in time",
    431: "the header fields are too large",
  };
  return JSON.stringify(
    presentErrors([
      narrative(messages[status] ?? "the request is not well-formed HTTP, or its method is unknown"),
    ]),
  );
}

/**
 * One policy for all resources (COBS 1.2.10): 401 if the certificate or token does not suffice, 403 if a right is missing,
 * 429 if the caller must wait.
 */
function presentAdmissionRefusal(refusal: AdmissionRefusal, { route = "" }: FailedCall): PresentedError {
  const { continues } = refusal.call;
  if (continues !== undefined) {
    const tooOften = { ...continues, code: refusal.code };
    const { answer, logFacts } = presentTooOften(tooOften, describeAdmissionRefusal(refusal));
    return { answer, logFacts: { ...logFacts, ...factsOf(refusal) } };
  }
  const lacksConsent = refusal.code === "consent_ended" && tellsOfConsent(route);
  const lacksRight = lacksConsent || refusal.code === "role_missing" || refusal.code === "scope_missing";
  const status = lacksRight ? 403 : 401;
  const parameters = parametersOfRefusal(refusal);
  const fault: Fault = {
    code: lacksConsent ? "AG01" : lacksRight ? "FORBIDDEN" : "UNAUTHORISED",
    path: undefined,
    ...(parameters && { parameters }),
    message: describeAdmissionRefusal(refusal),
  };
  const headers = { "WWW-Authenticate": presentChallenge(status, refusal) };
  return { answer: { ...cobsAnswer(status, fault), headers }, logFacts: factsOf(refusal) };
}

function factsOf({ code, detail, call }: AdmissionRefusal) {
  const { thumbprint, twinThumbprint, organisationIdentifier, role, scope } = call;
  return { refusal: code, detail, thumbprint, twinThumbprint, organisationIdentifier, role, scope };
}

/** Tells only the faults of the winning status (COBS 1.2.10.1). */
function presentContentRefusal({ faults }: ContentRefusal, { route }: FailedCall): PresentedError {
  const statuses = faults.map(({ code }) => httpStatusOf(code, route));
  const status = STATUS_PRECEDENCE.find((candidate) => statuses.includes(candidate)) ?? statuses[0] ?? 400;
  const told = faults.filter(({ code }) => httpStatusOf(code, route) === status);
  return {
    answer: cobsAnswer(status, ...told),
    logFacts: { refusal: told.map(({ code }) => code).join(" "), at: told.map(({ path }) => path) },
  };
}

function presentEdgeRefusal({ code, path, message }: EdgeRefusal): PresentedError {
  const answer = cobsAnswer(EDGE_STATUS[code], { code: EDGE_CODE[code], path, message });
  return { answer, logFacts: { refusal: code } };
}

function presentUnavailable(error: unknown): PresentedError {
  const answer = cobsAnswer(503, narrative("the bank cannot answer at the moment; try again later"));
  const cause = error instanceof Error ? error.cause : undefined;
  return {
    answer: { ...answer, headers: { "Retry-After": retryAfter(error) } },
    logFacts: {
      refusal: "unavailable",
      error,
      ...reasonOf(error),
      ...(cause instanceof Error && { cause: cause.message }),
    },
  };
}

function retryAfter(error: unknown): string {
  return error instanceof CoreUnavailable ? String(error.retryAfterSeconds) : RETRY_AFTER_SECONDS;
}

function reasonOf(error: unknown): Readonly<Record<string, string | undefined>> {
  if (error instanceof RevocationUnavailable) {
    const { organisationIdentifier, thumbprint } = error.tpp ?? {};
    return { code: "revocation_unavailable", detail: error.detail, organisationIdentifier, thumbprint };
  }
  if (error instanceof CoreUnavailable) return { code: error.code, ...describeCoreFailure(error) };
  return error instanceof AuthAnswerRefusal ? { code: error.code, detail: error.detail } : {};
}

function cobsAnswer(status: number, ...faults: readonly Fault[]): Answer {
  return { status, json: presentErrors(faults) };
}

function narrative(message: string): Fault {
  return { code: "NARR", path: undefined, message };
}
