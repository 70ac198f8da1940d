import type { AccountId, ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { ConsentId } from "../introspection/token-introspection.ts";
import {
  APPROVAL_FAULTS,
  type Approval,
  type PaymentState,
  type PaymentTerms,
  PSU_REFUSALS,
  type Rejection,
  type Signing,
} from "./payment.ts";
import type { ApprovalId, PaymentId, SignId, SigningRequestId } from "./payment-ids.ts";
import { readStoredAmount, readStoredOrder } from "./stored-order.ts";

/** Columns that hold the payment's state; the constraints of the table say which columns are set together. */
export interface StateRow {
  readonly state: PaymentState["state"];
  readonly expires_at: Date;
  readonly sign_id: SignId;
  readonly earlier_sign_ids: readonly SignId[];
  readonly signing_state: Signing["state"] | null;
  readonly signing_ending: "expired" | "cancelled" | null;
  readonly signing_request_id: SigningRequestId | null;
  readonly approval_id: ApprovalId | null;
  readonly approval_digest: Buffer | null;
  readonly approval_methods: readonly string[] | null;
  readonly approved_at: Date | null;
  readonly rejected_by: Rejection["by"] | null;
  readonly rejection_reason: string | null;
  readonly entry_reference: string | null;
}

/** Columns that hold what was entered. */
export interface TermsRow {
  readonly payment_id: PaymentId;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly application_id: ApplicationId;
  readonly psu_id: PsuId;
  readonly consent_id: ConsentId;
  readonly account_id: AccountId;
  readonly order_content: string;
  readonly fee: string | null;
  readonly execution_date: string;
  readonly is_changed: boolean;
  readonly order_text: string;
  readonly digest: Buffer;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** A payment as PostgreSQL gives it. */
export interface PaymentRow extends TermsRow, StateRow {
  readonly moves: number;
}

/** The columns of a {@link PaymentRow}. */
export const PAYMENT_COLUMNS = `payment_id, organisation_identifier, application_id, psu_id, consent_id, account_id,
  order_content, fee, to_char(execution_date, 'YYYY-MM-DD') AS execution_date, is_changed, order_text, digest, created_at,
  expires_at, state, moves, sign_id, earlier_sign_ids, signing_state, signing_ending, signing_request_id, approval_id,
  approval_digest, approval_methods, approved_at, rejected_by, rejection_reason, entry_reference`;

/** Reads what was entered; throws when the order cannot be read. */
export function readTerms(row: TermsRow): PaymentTerms {
  return {
    id: row.payment_id,
    organisationIdentifier: row.organisation_identifier,
    applicationId: row.application_id,
    psu: row.psu_id,
    consentId: row.consent_id,
    account: row.account_id,
    order: readStoredOrder(row.order_content),
    executionDate: row.execution_date,
    fee: row.fee === null ? undefined : readStoredAmount(row.fee),
    changed: row.is_changed,
    orderText: row.order_text,
    digest: row.digest,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Reads the state of a payment. */
export function readState(row: StateRow): PaymentState {
  const ids = { signId: row.sign_id, earlierSignIds: row.earlier_sign_ids };
  switch (row.state) {
    case "entered":
      return { ...ids, state: row.state, signing: readSigning(row), expiresAt: row.expires_at };
    case "approved":
    case "handed_over":
    case "accepted":
      return { ...ids, state: row.state, approval: readApproval(row) };
    case "completed": {
      const entryReference = row.entry_reference ?? undefined;
      return { ...ids, state: row.state, approval: readApproval(row), entryReference };
    }
    case "rejected":
      return { ...ids, state: row.state, rejection: readRejection(row) };
    default:
      return { ...ids, state: row.state };
  }
}

function readSigning(row: StateRow): Signing {
  const { signing_state: state, signing_request_id: requestId, signing_ending: ending } = row;
  if (state === "open") return { state };
  if (requestId === null) throw impossible("a signing has no request");
  if (state === "asked") return { state, requestId };
  if (ending === null) throw impossible("a signing that is over has no end");
  return { state: "ended", requestId, ending };
}

function readApproval(row: StateRow): Approval {
  const { approval_id: id, approval_digest: digest, approval_methods: methods } = row;
  const { signing_request_id: requestId, approved_at: approvedAt } = row;
  if (id === null || digest === null || methods === null || requestId === null || approvedAt === null)
    throw impossible("an approved payment has no approval");
  return { id, requestId, digest, methods, approvedAt };
}

function readRejection(row: StateRow): Rejection {
  const { rejected_by: by, rejection_reason: reason, signing_request_id: requestId } = row;
  if (by === null || reason === null) throw impossible("a rejection has no reason");
  if (by === "consent") return { by, reason: "consent_ended", requestId: requestId ?? undefined };
  if (requestId === null) throw impossible("a rejection has no request");
  switch (by) {
    case "psu":
      return { by, reason: requireOneOf(PSU_REFUSALS, reason), requestId };
    case "approval_check":
      return { by, reason: requireOneOf(APPROVAL_FAULTS, reason), requestId };
    case "execution_check":
      return { by, reason: "digest_mismatch", approval: readApproval(row) };
    case "bank":
      return { by, reason, approval: readApproval(row) };
  }
}

function requireOneOf<Code extends string>(codes: readonly Code[], text: string): Code {
  const code = codes.find((each) => each === text);
  if (code === undefined) throw impossible("a rejection has no known reason");
  return code;
}

function impossible(detail: string): TypeError {
  return new TypeError(`a row of the table payment is not possible: ${detail}`);
}

/** Columns that hold the payment's state, in the order of {@link valuesOfState}. */
export const STATE_COLUMNS = [
  "state",
  "sign_id",
  "earlier_sign_ids",
  "signing_state",
  "signing_ending",
  "signing_request_id",
  "approval_id",
  "approval_digest",
  "approval_methods",
  "approved_at",
  "rejected_by",
  "rejection_reason",
  "entry_reference",
] as const;

/** The values of {@link STATE_COLUMNS}. */
export function valuesOfState(state: PaymentState): readonly unknown[] {
  const approval = approvalOf(state);
  const rejection = state.state === "rejected" ? state.rejection : undefined;
  return [
    state.state,
    state.signId,
    state.earlierSignIds,
    ...valuesOfSigning(state),
    requestOf(state),
    approval?.id,
    approval?.digest,
    approval?.methods,
    approval?.approvedAt,
    rejection?.by,
    rejection?.reason,
    state.state === "completed" ? state.entryReference : undefined,
  ];
}

/** The approval of a payment, if it has one. */
export function approvalOf(state: PaymentState): Approval | undefined {
  if ("approval" in state) return state.approval;
  if (state.state !== "rejected" || !("approval" in state.rejection)) return undefined;
  return state.rejection.approval;
}

/** Finds the request at auth of the current attempt, or of the attempt that decided. */
export function requestOf(state: PaymentState): SigningRequestId | undefined {
  if (state.state === "entered") return state.signing.state === "open" ? undefined : state.signing.requestId;
  if (state.state === "rejected" && "requestId" in state.rejection) return state.rejection.requestId;
  return approvalOf(state)?.requestId;
}

function valuesOfSigning(state: PaymentState): readonly [unknown, unknown] {
  if (state.state !== "entered") return [undefined, undefined];
  const { signing } = state;
  return [signing.state, signing.state === "ended" ? signing.ending : undefined];
}
