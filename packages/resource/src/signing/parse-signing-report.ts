import type { JsonObject } from "@cobs/service-edge";
import { membersOf, readMembers, textIn } from "../auth-answers/members-of.ts";
import { type Approval, PSU_REFUSALS, type PsuRefusal } from "../payments/payment.ts";
import { findApprovalId, findSigningRequestId, type SigningRequestId } from "../payments/payment-ids.ts";
import type { SigningReport, SigningState } from "./signing-authority.ts";
import { SigningRefusal } from "./signing-refusal.ts";

/** A report with the payment and attempt that it is about, so that nobody takes it for that of another payment. */
export interface AddressedReport {
  readonly report: SigningReport;
  readonly paymentId: string;
  readonly signId: string;
  /** SHA-256 of the bytes that auth shows to the PSU. */
  readonly digest: Buffer;
}

const DIGEST = /^[A-Za-z0-9_-]{43}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const MAX_METHODS = 10;
const MALFORMED = [SigningRefusal, "answer_malformed"] as const;

/**
 * Reads `{ id, url, paymentId, signId, digest, state }` and, by its state, `reason` or `approval`. Refuses with
 * `answer_malformed`, also for an approval of other bytes than auth shows.
 */
export function parseSigningReport(text: string): AddressedReport {
  return readMembers(text, MALFORMED, (members) => {
    const requestId = found(findSigningRequestId(members.id), "id");
    const digest = parseDigest(members.digest, "digest");
    const state = parseState(members, { requestId, digest });
    return {
      report: { ...state, requestId, url: parseUrl(members.url) },
      paymentId: textIn(members, "paymentId"),
      signId: textIn(members, "signId"),
      digest,
    };
  });
}

/** Reads `{ ended }`; refuses with `answer_malformed`. */
export function parseConsentAnswer(text: string): boolean {
  return readMembers(text, MALFORMED, (members) => {
    if (typeof members.ended === "boolean") return members.ended;
    throw new TypeError("ended is not a boolean");
  });
}

/** Reads the `error` of a refusal; refuses with `answer_malformed`. */
export function parseSigningError(text: string): string {
  return readMembers(text, MALFORMED, (members) => textIn(members, "error"));
}

function parseState(members: JsonObject, asked: Pick<Approval, "requestId" | "digest">): SigningState {
  const { state } = members;
  switch (state) {
    case "waiting":
    case "expired":
      return { state };
    case "cancelled":
      return {
        state,
        because: members.because === "consent_ended" ? "consent_ended" : undefined,
      };
    case "refused":
      return { state, reason: parseReason(members.reason) };
    case "approved":
      return { state, approval: parseApproval(membersOf(members.approval, "approval"), asked) };
    default:
      throw new TypeError("state is not one of those agreed");
  }
}

function parseReason(value: unknown): PsuRefusal {
  return found(
    PSU_REFUSALS.find((reason) => reason === value),
    "reason",
  );
}

function parseApproval(
  members: JsonObject,
  { requestId, digest }: { readonly requestId: SigningRequestId; readonly digest: Buffer },
): Approval {
  const approved = parseDigest(members.digest, "approval.digest");
  if (!approved.equals(digest)) throw new TypeError("approval.digest is not that of the request");
  return {
    id: found(findApprovalId(members.id), "approval.id"),
    requestId,
    digest: approved,
    methods: parseMethods(members.methods),
    approvedAt: parseTime(textIn(members, "approvedAt")),
  };
}

/** An approval names at least one method of authentication (RTS Article 4). */
function parseMethods(value: unknown): readonly string[] {
  const methods: readonly unknown[] = Array.isArray(value) ? value : [];
  const isRight = methods.length > 0 && methods.length <= MAX_METHODS && methods.every(isMethod);
  if (isRight) return methods.filter(isMethod);
  throw new TypeError(`approval.methods is not a list of 1 to ${MAX_METHODS} names`);
}

function isMethod(value: unknown): value is string {
  return typeof value === "string" && /^[a-z_]{1,32}$/.test(value);
}

function parseDigest(value: unknown, name: string): Buffer {
  if (typeof value === "string" && DIGEST.test(value)) return Buffer.from(value, "base64url");
  throw new TypeError(`${name} is not a SHA-256 in base64url`);
}

function parseTime(text: string): Date {
  const time = new Date(TIME.test(text) ? text : Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new TypeError("approval.approvedAt is not a UTC time with milliseconds");
  return time;
}

/** Reads the URL to which the PSU's browser is sent, so it must be https. */
function parseUrl(value: unknown): string {
  if (typeof value === "string" && URL.canParse(value) && new URL(value).protocol === "https:") return value;
  throw new TypeError("url is not an https URL");
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new TypeError(`${name} is missing or malformed`);
  return value;
}
