import { createHash } from "node:crypto";
import type { PsuId } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Queries, Statement } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { CancellationCause } from "./signing-request.ts";
import { type SigningRow, WITHOUT_CODE } from "./signing-row.ts";
import { aboutSigning } from "./tell-move.ts";

/** Selects the waiting orders to end. */
export type EndedSignings =
  | { readonly of: "everyone" }
  | { readonly of: "application"; readonly applicationId: string }
  | { readonly of: "psu"; readonly psu: PsuId }
  | { readonly of: "tpp"; readonly organisationIdentifier: OrganisationIdentifier }
  /** Consent and application stay valid: the TPP may ask for the same payments with another certificate. */
  | { readonly of: "certificate"; readonly thumbprint: CertificateThumbprint }
  /** Pairs of an application and one of its PSUs. An order stays when another consent of the pair still allows payments. */
  | {
      readonly of: "payers";
      readonly payers: readonly { readonly applicationId: string; readonly psu: string }[];
    };

type EndedRow = Pick<
  SigningRow,
  "id" | "payment_id" | "sign_id" | "psu_id" | "organisation_identifier" | "application_id" | "order_text"
>;

/** Finds the act that ends the orders of a payer, where several acts end orders together. */
export type ActOfPayer = (payer: Pick<EndedRow, "application_id" | "psu_id">) => Act;

// Locked in a fixed order, so that two transactions that end the same orders cannot deadlock. A decision that the PSU is making
// now is waited for; its order is no longer waiting then.
const end = (condition: string, because = "'consent_ended'") => `WITH waiting AS (
    SELECT id FROM signing_request WHERE state = 'waiting' AND ${condition} ORDER BY id FOR UPDATE
  )
  UPDATE signing_request SET state = 'cancelled', cancelled_because = ${because},
    decided_at = greatest(now(), created_at), ${WITHOUT_CODE}
  FROM waiting WHERE signing_request.id = waiting.id AND state = 'waiting'
  RETURNING signing_request.id, payment_id, sign_id, psu_id, organisation_identifier, application_id, order_text`;

const END_OF_EVERYONE = end("true");
const END_OF_APPLICATION = end("application_id = $1");
const END_OF_PSU = end("psu_id = $1");
const END_OF_TPP = end("organisation_identifier = $1");
const END_OF_CERTIFICATE = end("$1 = ANY (certificates)", "NULL");
// An expiry may be written when there is already a newer consent. A newer consent whose end is not written counts as valid, and
// its orders end when its own end is written: the database's clock may be ahead.
const END_OF_PAYERS = end(`(application_id, psu_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
      AND NOT EXISTS (SELECT FROM consent AS other WHERE other.application_id = signing_request.application_id
        AND other.psu_id = signing_request.psu_id AND ended_at IS NULL
        AND 'pisp' = ANY (services))`);

/**
 * Generous, because very many orders may wait: a TPP asks as often as it likes, and must not thereby delay its own block or its
 * PSUs' withdrawals.
 */
const ALL_AT_ONCE_MILLISECONDS = 60_000;

/**
 * Ends every waiting order whose consent has ended or whose certificate is blocked, in the same transaction and before its
 * events. What was approved before stays approved (PSD2 Article 80(2)), and nothing is approved afterwards. The event of that
 * consent or block stands for all of these orders.
 */
export async function endSignings(
  queries: Queries,
  ended: EndedSignings,
  act: Act | ActOfPayer,
): Promise<void> {
  const statement = { ...endingOf(ended), limitMilliseconds: ALL_AT_ONCE_MILLISECONDS };
  const rows = await queries.run<EndedRow>(statement);
  const reason = ended.of === "certificate" ? "certificate_blocked" : "consent_ended";
  await appendAudit(queries, recordEach(rows, reason, typeof act === "function" ? act : () => act));
}

function endingOf(ended: EndedSignings): Statement {
  switch (ended.of) {
    case "everyone":
      return { name: "signing-end-of-everyone", text: END_OF_EVERYONE, values: [] };
    case "application":
      return { name: "signing-end-of-application", text: END_OF_APPLICATION, values: [ended.applicationId] };
    case "psu":
      return { name: "signing-end-of-psu", text: END_OF_PSU, values: [ended.psu] };
    case "tpp":
      return { name: "signing-end-of-tpp", text: END_OF_TPP, values: [ended.organisationIdentifier] };
    case "certificate":
      return { name: "signing-end-of-certificate", text: END_OF_CERTIFICATE, values: [ended.thumbprint] };
    case "payers": {
      const { payers } = ended;
      const values = [payers.map(({ applicationId }) => applicationId), payers.map(({ psu }) => psu)];
      return { name: "signing-end-of-payers", text: END_OF_PAYERS, values };
    }
  }
}

function* recordEach(
  rows: readonly EndedRow[],
  reason: CancellationCause,
  actOf: ActOfPayer,
): Generator<AuditEntry> {
  for (const row of rows) yield recordEnded(row, reason, actOf(row));
}

/** Built from the raw row: an order that cannot be parsed must not keep a consent from ending. */
function recordEnded(row: EndedRow, reason: CancellationCause, act: Act): AuditEntry {
  const about = aboutSigning({
    paymentId: row.payment_id,
    signId: row.sign_id,
    psu: row.psu_id,
    organisationIdentifier: row.organisation_identifier,
    applicationId: row.application_id,
    digest: createHash("sha256").update(row.order_text, "utf8").digest(),
  });
  return {
    act,
    action: "signing.cancelled",
    subject: { kind: "signing_request", id: row.id },
    details: { ...about, reason },
  };
}
