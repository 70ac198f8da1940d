import type { Queries } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { holdOffBlocks } from "./block-turns-postgres.ts";
import { isOfBlockedCertificate } from "./blocked-certificates-postgres.ts";
import { byServer, makeMove, OF_BLOCKED_CERTIFICATE, readOne } from "./make-move-postgres.ts";
import { findPaymentConsentEnd, holdPaymentConsent } from "./payment-consent-postgres.ts";
import type { SigningRequest, SigningTerms } from "./signing-request.ts";
import { SIGNING_COLUMNS } from "./signing-row.ts";
import type { RequestOutcome, SigningAct } from "./signing-store.ts";
import { presentEntry } from "./tell-move.ts";

const ADD = `INSERT INTO signing_request (id, payment_id, sign_id, psu_id, organisation_identifier, application_id,
    certificates, return_url, order_text, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (payment_id, sign_id) DO NOTHING RETURNING ${SIGNING_COLUMNS}`;

const FIND_SAME = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE payment_id = $1 AND sign_id = $2`;

/** The return URL is not compared, because it is not part of what the PSU approves (RTS Article 5(1)). */
function isSame(one: SigningRequest, other: SigningTerms): boolean {
  const named = ["psu", "organisationIdentifier", "applicationId"] as const;
  return one.order.text === other.order.text && named.every((name) => one[name] === other[name]);
}

/** Finds what is kept under the same payment and sign id, without a lock; undefined when nothing is. */
async function findKept(queries: Queries, terms: SigningTerms): Promise<RequestOutcome | undefined> {
  const values = [terms.paymentId, terms.signId];
  const kept = await readOne(queries, { name: "signing-find-same", text: FIND_SAME, values });
  if (kept === undefined) return undefined;
  return isSame(kept, terms) ? { result: "known", request: kept } : { result: "different" };
}

/** Runs without a transaction, so that a TPP that repeats one order delays nobody who ends its consent. */
export async function findAgain(queries: Queries, terms: SigningTerms): Promise<RequestOutcome | undefined> {
  const kept = await findKept(queries, terms);
  if (kept === undefined) return undefined;
  const end = await findPaymentConsentEnd(queries, terms);
  return end === undefined ? kept : { result: "consent_ended" };
}

/** Keeps a request, or finds the one that is kept under its payment and sign id. */
export async function requestIn(
  queries: Queries,
  terms: SigningTerms,
  by: SigningAct,
): Promise<RequestOutcome> {
  await holdPaymentConsent(queries, terms);
  const isHeldOff = await holdOffBlocks(queries, terms);
  if ((await findPaymentConsentEnd(queries, terms)) !== undefined) return { result: "consent_ended" };
  const { id, paymentId, signId, psu, organisationIdentifier, applicationId, certificates, order } = terms;
  const who = [psu, organisationIdentifier, applicationId, certificates];
  const what = [terms.returnUrl, order.text, terms.createdAt, terms.expiresAt];
  const values = [id, paymentId, signId, ...who, ...what];
  const added = await readOne(queries, { name: "signing-add", text: ADD, values });
  if (added !== undefined) {
    await appendAudit(queries, [presentEntry(added, "request", by.act)]);
    const isOfBlocked = !isHeldOff || (await isOfBlockedCertificate(queries, added));
    return { result: "created", request: isOfBlocked ? await endAtOnce(queries, added, by) : added };
  }
  const kept = await findKept(queries, terms);
  if (kept === undefined) throw new Error("an existing signing request was not found");
  return kept;
}

/** Cancels the order as a block cancels those that it finds. Releasing the block does not bring them back. */
function endAtOnce(queries: Queries, request: SigningRequest, by: SigningAct): Promise<SigningRequest> {
  return makeMove(queries, request, { move: OF_BLOCKED_CERTIFICATE, by: byServer(by, "stop list") });
}
