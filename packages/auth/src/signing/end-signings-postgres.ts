import { createHash } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { SigningRow } from "./signing-row.ts";

/** Whose orders end: what is undefined does not matter. */
export interface EndedSignings {
  readonly applicationId?: string;
  readonly psu?: PsuId;
  readonly organisationIdentifier?: OrganisationIdentifier;
  /** Of the TPP, which may ask for the same payments with another one: what they hang on goes on. */
  readonly certificate?: CertificateThumbprint;
  /** Each an application with one of its PSUs; what another consent of theirs allows still goes on. */
  readonly payers?: readonly { readonly applicationId: string; readonly psu: string }[];
}

type EndedRow = Pick<
  SigningRow,
  "id" | "payment_id" | "sign_id" | "psu_id" | "organisation_identifier" | "application_id" | "order_text"
>;

// Locked in one order, so that two who end the same orders at once do not wait for each other. What its PSU decides at this
// moment is waited for, and then waits no more. That a consent has run out may be written when there is a newer one already.
const END = `WITH waiting AS (
    SELECT id FROM signing_request
    WHERE state = 'waiting' AND ($1::text IS NULL OR application_id = $1) AND ($2::text IS NULL OR psu_id = $2)
      AND ($3::text IS NULL OR organisation_identifier = $3)
      AND ($4::text[] IS NULL OR (application_id, psu_id) IN (SELECT * FROM unnest($4::text[], $5::text[]))
        AND NOT EXISTS (SELECT FROM consent AS other WHERE other.application_id = signing_request.application_id
          AND other.psu_id = signing_request.psu_id AND ended_at IS NULL AND valid_until > now()
          AND 'pisp' = ANY (services)))
      AND ($6::text IS NULL OR $6 = ANY (certificates))
    ORDER BY id FOR UPDATE
  )
  UPDATE signing_request SET state = 'cancelled', cancelled_because = CASE WHEN $6::text IS NULL THEN 'consent_ended' END,
    decided_at = greatest(now(), created_at), code_hash = NULL, code_browser_hash = NULL, code_expires_at = NULL
  FROM waiting WHERE signing_request.id = waiting.id AND state = 'waiting'
  RETURNING signing_request.id, payment_id, sign_id, psu_id, organisation_identifier, application_id, order_text`;

/** Very many may wait: a TPP asks as often as it likes, and must not hold off its own block, or its PSUs' withdrawals, by that. */
const ALL_AT_ONCE_MILLISECONDS = 60_000;

/**
 * Ends every order that waits for its PSU, because the consent has ended that it hangs on, or the certificate is blocked with
 * which it was sent here; in the transaction of that and before its events: what was approved before stays approved (PSD2
 * Article 80(2)), and nothing is afterwards. The event of the ending stands for all of them.
 */
export async function endSignings(queries: Queries, ended: EndedSignings, act: Act): Promise<void> {
  const { applicationId = null, psu = null, organisationIdentifier = null, payers, certificate } = ended;
  const applications = payers?.map((payer) => payer.applicationId) ?? null;
  const psus = payers?.map((payer) => payer.psu) ?? null;
  const values = [applicationId, psu, organisationIdentifier, applications, psus, certificate ?? null];
  const reason = certificate === undefined ? "consent_ended" : "certificate_blocked";
  const limitMilliseconds = ALL_AT_ONCE_MILLISECONDS;
  const statement = { name: "signing-end-with-consents", text: END, values, limitMilliseconds };
  const rows = await queries.run<EndedRow>(statement);
  await appendAudit(queries, recordEach(rows, reason, act));
}

function* recordEach(
  rows: readonly EndedRow[],
  reason: "consent_ended" | "certificate_blocked",
  act: Act,
): Generator<AuditEntry> {
  for (const row of rows) yield recordEnded(row, reason, act);
}

/** From the row as it is: an order that cannot be read keeps no consent from its end. */
function recordEnded(row: EndedRow, reason: "consent_ended" | "certificate_blocked", act: Act): AuditEntry {
  const details = {
    paymentId: row.payment_id,
    signId: row.sign_id,
    psu: row.psu_id,
    organisationIdentifier: row.organisation_identifier,
    applicationId: row.application_id,
    digest: createHash("sha256").update(row.order_text, "utf8").digest("base64url"),
    reason,
  };
  return { act, action: "signing.cancelled", subject: { kind: "signing_request", id: row.id }, details };
}
