import type { Queries } from "@cobs/service-edge";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import { holdOffBlocks } from "./block-turns-postgres.ts";
import { isOfBlockedCertificate } from "./blocked-certificates-postgres.ts";
import { byServer, makeMove, OF_BLOCKED_CERTIFICATE, readOne } from "./make-move-postgres.ts";
import { findPaymentConsentEnd, holdPaymentConsent } from "./payment-consent-postgres.ts";
import type { SigningRequest, SigningTerms } from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import { SIGNING_COLUMNS } from "./signing-row.ts";
import type { RequestOutcome, SigningAct } from "./signing-store.ts";
import { presentEntry } from "./tell-move.ts";

/** Most thumbprints that one request notes: both forms of ten certificates, so that no TPP can make a row grow for ever. */
const MOST_THUMBPRINTS = 20;

const ADD = `INSERT INTO signing_request (id, payment_id, sign_id, psu_id, organisation_identifier, application_id,
    certificates, return_url, order_text, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (payment_id, sign_id) DO NOTHING RETURNING ${SIGNING_COLUMNS}`;

const FIND_SAME = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE payment_id = $1 AND sign_id = $2`;
const LOCK = `SELECT ${SIGNING_COLUMNS} FROM signing_request WHERE id = $1 FOR UPDATE`;
// The caller has locked the row, and has seen that it waits.
const CHANGE = `UPDATE signing_request SET return_url = $2, certificates = $3 WHERE id = $1 RETURNING ${SIGNING_COLUMNS}`;

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
  const isHeldOff = await holdOffBlocks(queries, [terms.organisationIdentifier, ...terms.certificates]);
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

const newCertificates = (kept: SigningTerms, { certificates }: SigningTerms) =>
  certificates.filter((each) => !kept.certificates.includes(each));

/** Tells whether a repeated request names another return URL than the kept one, or comes with another certificate. */
export function tellsMore(kept: SigningTerms, again: SigningTerms): boolean {
  return kept.returnUrl !== again.returnUrl || newCertificates(kept, again).length > 0;
}

/**
 * Takes the return URL of a repeated request, and notes the certificate that it came with. Only a certificate that was not noted
 * yet is recorded: the audit log would otherwise grow as often as a TPP likes to ask.
 */
export async function requestAgainIn(
  queries: Queries,
  { id, terms }: { readonly id: SigningRequestId; readonly terms: SigningTerms },
  by: SigningAct,
): Promise<RequestOutcome> {
  const kept = await readOne(queries, { name: "signing-lock-again", text: LOCK, values: [id] });
  if (kept === undefined) throw new Error("a signing request is gone");
  // A request that was decided meanwhile no longer changes.
  if (kept.state !== "waiting") return { result: "known", request: kept };
  const added = newCertificates(kept, terms);
  const certificates = [...kept.certificates, ...added];
  if (certificates.length > MOST_THUMBPRINTS) return { result: "certificates_used_up" };
  const isHeldOff = added.length === 0 || (await holdOffBlocks(queries, added));
  const values = [id, terms.returnUrl, certificates];
  const changed = await readOne(queries, { name: "signing-change", text: CHANGE, values });
  if (changed === undefined) throw new Error("a signing request changed under its lock");
  if (added.length === 0) return { result: "known", request: changed };
  await appendAudit(queries, [presentEntry(changed, "request_again", by.act)]);
  const isOfBlocked = !isHeldOff || (await isOfBlockedCertificate(queries, changed));
  return { result: "known", request: isOfBlocked ? await endAtOnce(queries, changed, by) : changed };
}

/** Cancels the order as a block cancels those that it finds. Releasing the block does not bring them back. */
function endAtOnce(queries: Queries, request: SigningRequest, by: SigningAct): Promise<SigningRequest> {
  return makeMove(queries, request, { move: OF_BLOCKED_CERTIFICATE, by: byServer(by, "stop list") });
}
