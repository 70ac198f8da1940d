/**
 * The authorization of a payment on the wire (COBS 3.2.8 to 3.2.11): the requests and answers of its steps. It owns their
 * elements; the caller decides which methods exist, and where a PSU is sent.
 */

import { isObject } from "../is-object.ts";
import { type CobsErrorCode, type Fault, NO_OBJECT } from "../refusal.ts";
import { isWithin } from "../text.ts";

/** State of the authorization of a payment. */
export type SigningState =
  /** Waits for the PSU. */
  | "OPEN"
  /** Needs no signature. */
  | "NONE"
  /** The PSU or the bank declined. */
  | "REJECT"
  /** Ended without a signature: expired, deleted or replaced. */
  | "CLOSE"
  /** Signed. */
  | "DONE";

/** `signInfo`; without an id the TPP asks for one by R9 (COBS 3.2.4.2). */
export type SignInfo = { readonly state: SigningState; readonly signId?: string };

/** Alternatives, each a sequence of methods. */
export type Scenarios = readonly (readonly string[])[];

/** The answer of R9 and R10 (COBS 3.2.8, 3.2.9). */
export type SigningDocument = { readonly scenarios: Scenarios; readonly signInfo: Required<SignInfo> };

/** The answer of R11 with a federated method, to which a browser is sent with GET (COBS 3.2.10). */
export type SigningStartDocument = {
  readonly authorizationType: string;
  readonly href: { readonly url: string; readonly id: string };
  readonly method: "GET";
  readonly signInfo: Required<SignInfo>;
};

/** The answer of R12 (COBS 3.2.11). */
export type SigningOutcomeDocument = { readonly state: SigningState; readonly pollInterval?: number };

/** The content of R11. Which methods exist, and which addresses are registered, is not yet verified. */
export type SigningStep = { readonly authorizationType: string; readonly redirectUrl: string | undefined };

/** The method of R11 or R12, and all faults of the body. Which methods exist is not yet verified. */
export type ReadSigningMethod = {
  /** Present even if there are other faults; undefined if none is named in the right form. */
  readonly authorizationType: string | undefined;
  readonly faults: readonly Fault[];
};

/** A step, or all its faults. */
export type ReadSigningStep = ReadSigningMethod & { readonly step: SigningStep | undefined };

const MAX_TYPE_LENGTH = 35;

/** Same limit as for a URL in a registration. */
const MAX_URL_LENGTH = 2047;

/** Reads the body of R12 (COBS 3.2.11): FF01, FIELD_MISSING and FIELD_INVALID. */
export function readSigningMethod(body: unknown): ReadSigningMethod {
  if (!isObject(body)) return { authorizationType: undefined, faults: [NO_OBJECT] };
  const given = body.authorizationType ?? undefined;
  const faults = faultsOfType(given);
  return { authorizationType: isText(given) && faults.length === 0 ? given : undefined, faults };
}

/** Reads the body of R11, which also has a return URL (COBS 3.2.10, A-51): FF01, FIELD_MISSING and FIELD_INVALID. */
export function readSigningStep(body: unknown): ReadSigningStep {
  const { authorizationType, faults: ofMethod } = readSigningMethod(body);
  if (!isObject(body)) return { step: undefined, authorizationType, faults: ofMethod };
  const redirectUrl = body.redirectUrl ?? undefined;
  const faults = [...ofMethod, ...faultsOfUrl(redirectUrl)];
  const isStep = authorizationType !== undefined && (redirectUrl === undefined || isText(redirectUrl));
  const step = isStep && faults.length === 0 ? { authorizationType, redirectUrl } : undefined;
  return { step, authorizationType, faults };
}

/** Writes the ways in which a payment can be signed (R9, R10). */
export function presentSigning(scenarios: Scenarios, signInfo: Required<SignInfo>): SigningDocument {
  return { scenarios, signInfo };
}

/** Writes where the PSU's browser is sent (R11). `url` is the bank's; no `backURL` is given. */
export function presentSigningStart(
  authorizationType: string,
  url: string,
  signInfo: Required<SignInfo>,
): SigningStartDocument {
  return { authorizationType, href: { url, id: signInfo.signId }, method: "GET", signInfo };
}

/** Writes the state of an authorization (R12) and, while it is open, after how many milliseconds to ask again. */
export function presentSigningOutcome(state: SigningState, pollIntervalMs: number): SigningOutcomeDocument {
  return state === "OPEN" ? { state, pollInterval: pollIntervalMs } : { state };
}

function faultsOfType(value: unknown): readonly Fault[] {
  if (value === undefined || value === "")
    return [makeFault("FIELD_MISSING", "authorizationType", "is missing")];
  const isRight = isText(value) && isWithin(value, MAX_TYPE_LENGTH);
  return isRight
    ? []
    : [
        makeFault(
          "FIELD_INVALID",
          "authorizationType",
          `must be the code of a method, of at most ${MAX_TYPE_LENGTH} characters`,
        ),
      ];
}

function faultsOfUrl(value: unknown): readonly Fault[] {
  const isRight = value === undefined || (isText(value) && value.length <= MAX_URL_LENGTH);
  return isRight
    ? []
    : [
        makeFault(
          "FIELD_INVALID",
          "redirectUrl",
          `must be an address of at most ${MAX_URL_LENGTH} characters`,
        ),
      ];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function makeFault(code: CobsErrorCode, path: string, wrong: string): Fault {
  return { code, path, message: `${path} ${wrong}` };
}
