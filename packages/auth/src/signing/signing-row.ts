import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import { parseOrder } from "./order.ts";
import type { ApprovalMethod, KeptCause, SigningRefusalReason, SigningRequest } from "./signing-request.ts";
import type { ApprovalId, SigningRequestId } from "./signing-request-id.ts";

/** A signing request as a row; the table's constraints say which columns are set together. */
export interface SigningRow {
  readonly id: SigningRequestId;
  readonly payment_id: string;
  readonly sign_id: string;
  readonly psu_id: PsuId;
  readonly organisation_identifier: OrganisationIdentifier;
  readonly application_id: ApplicationId;
  readonly certificates: readonly CertificateThumbprint[] | null;
  readonly return_url: string;
  readonly order_text: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly state: SigningRequest["state"];
  readonly decided_at: Date | null;
  readonly refusal: SigningRefusalReason | null;
  readonly cancelled_because: KeptCause | null;
  readonly approval_id: ApprovalId | null;
  readonly approval_digest: Buffer | null;
  readonly approval_methods: readonly ApprovalMethod[] | null;
  readonly code_hash: Buffer | null;
  readonly code_browser_hash: Buffer | null;
  readonly code_expires_at: Date | null;
  readonly codes_made: number;
  readonly tries: number;
}

/** The columns of a {@link SigningRow}. No code that is over by the database's clock is read: ours may have been set back. */
export const SIGNING_COLUMNS = `id, payment_id, sign_id, psu_id, organisation_identifier, application_id, certificates, return_url,
  order_text, created_at, expires_at, state, decided_at, refusal, cancelled_because, approval_id, approval_digest,
  approval_methods, CASE WHEN code_over_at <= now() THEN NULL ELSE code_hash END AS code_hash, code_browser_hash,
  code_expires_at, codes_made, tries`;

/** Sets the columns of a {@link SigningRow} of which no code is kept. */
export const WITHOUT_CODE =
  "code_hash = NULL, code_browser_hash = NULL, code_expires_at = NULL, code_over_at = NULL";

/** Reads a row; the order is parsed and hashed again. */
export function readSigningRequest(row: SigningRow): SigningRequest {
  const terms = readTerms(row);
  if (row.decided_at === null) {
    return { ...terms, state: "waiting", code: readCode(row), codesMade: row.codes_made, tries: row.tries };
  }
  const decided = { ...terms, decidedAt: row.decided_at };
  if (row.refusal !== null) return { ...decided, state: "refused", reason: row.refusal };
  const { approval_id: id, approval_digest: digest, approval_methods: methods } = row;
  if (id !== null && digest !== null && methods !== null) {
    return { ...decided, state: "approved", approval: { id, digest, methods } };
  }
  if (row.state !== "cancelled") return { ...decided, state: "expired" };
  return { ...decided, state: "cancelled", because: row.cancelled_because ?? undefined };
}

function readTerms(row: SigningRow) {
  return {
    id: row.id,
    paymentId: row.payment_id,
    signId: row.sign_id,
    psu: row.psu_id,
    organisationIdentifier: row.organisation_identifier,
    applicationId: row.application_id,
    certificates: row.certificates ?? [],
    returnUrl: row.return_url,
    order: parseOrder(row.order_text),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function readCode({
  code_hash: hash,
  code_browser_hash: browserHash,
  code_expires_at: expiresAt,
}: SigningRow) {
  const isThere = hash !== null && browserHash !== null && expiresAt !== null;
  return isThere ? { hash, browserHash, expiresAt } : undefined;
}
