import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Queries } from "@cobs/service-edge";
import { isTppBlocked } from "../tpp/stop-list-postgres.ts";

/** One PSU and the application of a TPP that initiates payments for them. */
export interface Payer {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
}

/**
 * How a PSU's consent to an application's payments is over:
 * - `ended`: withdrawn, written as expired, revoked by the bank or with the application, or replaced by a consent without
 *   payments; or the TPP is on the stop list
 * - `expired`: only by the database's clock, with nothing written. Nothing may be ended for it, because that clock may be ahead
 */
export type PaymentConsentEnd = "ended" | "expired";

// Only the newest version counts: a newer consent without payments ends what an older one allowed.
const FIND_END = `SELECT CASE
    WHEN ${isTppBlocked("$3")}
      OR EXISTS (SELECT FROM application WHERE id = $1 AND deleted_at IS NOT NULL) THEN 'ended'
    ELSE (
      SELECT CASE WHEN ended_at IS NOT NULL OR NOT 'pisp' = ANY (services) THEN 'ended'
        WHEN valid_until <= now() THEN 'expired' END
      FROM consent WHERE application_id = $1 AND psu_id = $2 ORDER BY version DESC LIMIT 1)
    END AS found`;

/**
 * Finds how a PSU's consent to an application's payments is over; undefined while it is not. Whether there ever was a consent is
 * for resource to know, which has seen its token: where no consent is kept, nothing has ended.
 */
export async function findPaymentConsentEnd(
  queries: Queries,
  { applicationId, psu, organisationIdentifier }: Payer,
): Promise<PaymentConsentEnd | undefined> {
  const values = [applicationId, psu, organisationIdentifier];
  const statement = { name: "payment-consent-end", text: FIND_END, values };
  const [row] = await queries.run<{ readonly found: PaymentConsentEnd | null }>(statement);
  return row?.found ?? undefined;
}

// Locks are taken in the order that every end of a consent uses: first the application, then the consent. The consent is held by
// one order at a time: holders of a shared lock pass those who wait to end the consent, and many of them would hold these off for
// ever. Orders of several PSUs share the application, so before its row they take an advisory lock, which is granted in turn.
const LOCKED = "hashtextextended('application ' || $1::text, 0)";
const HOLD_APPLICATION = `SELECT FROM pg_advisory_xact_lock_shared(${LOCKED}), application
  WHERE id = $1 FOR KEY SHARE OF application`;
const HOLD_CONSENT = `SELECT FROM consent WHERE application_id = $1 AND psu_id = $2
  ORDER BY version DESC LIMIT 1 FOR NO KEY UPDATE`;

const TAKE_TURN = `SELECT pg_advisory_xact_lock(${LOCKED})`;

/**
 * Takes the turn to change an application, before its row is locked: waits for transactions that are keeping an order of it, and
 * lets no further ones pass.
 */
export async function takeTurnAtApplication(queries: Queries, id: ApplicationId): Promise<void> {
  await queries.run({ name: "application-turn", text: TAKE_TURN, values: [id] });
}

/**
 * Holds the consent until the end of the transaction, which keeps an order: nobody can end the consent before, and a transaction
 * that ends it afterwards finds the order.
 */
export async function holdPaymentConsent(
  queries: Queries,
  { applicationId, psu }: Pick<Payer, "applicationId" | "psu">,
): Promise<void> {
  await queries.run({ name: "payment-consent-application", text: HOLD_APPLICATION, values: [applicationId] });
  await queries.run({ name: "payment-consent-hold", text: HOLD_CONSENT, values: [applicationId, psu] });
}
