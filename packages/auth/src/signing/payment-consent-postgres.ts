import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Queries } from "@cobs/service-edge";
import { isTppBlocked } from "../tpp/stop-list-postgres.ts";

/** Whose payments are meant: those that an application of a TPP initiates for one PSU. */
export interface Payer {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
}

/**
 * How what a PSU agreed with an application about payments is over:
 * - `ended`: withdrawn, expired, taken away by the bank or with the application, or replaced by a consent without payments; or
 *   the TPP is on the stop list
 * - `expired`: by the database's clock alone. Nobody has written that, and nothing may be ended for it: the clock may be ahead
 */
export type PaymentConsentEnd = "ended" | "expired";

// The newest version is what holds: a newer consent without payments ends what an older one allowed.
const FIND_END = `SELECT CASE
    WHEN ${isTppBlocked("$3")}
      OR EXISTS (SELECT FROM application WHERE id = $1 AND deleted_at IS NOT NULL) THEN 'ended'
    ELSE (
      SELECT CASE WHEN ended_at IS NOT NULL OR NOT 'pisp' = ANY (services) THEN 'ended'
        WHEN valid_until <= now() THEN 'expired' END
      FROM consent WHERE application_id = $1 AND psu_id = $2 ORDER BY version DESC LIMIT 1)
    END AS found`;

/**
 * Whether what a PSU agreed with an application about payments is over. That there was a consent at all is resource's to know,
 * which has seen a token of it: where none is kept, nothing has ended.
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

// In the order in which everybody takes them who ends a consent: first the application, then the consent. One order after
// the other holds it: whoever shares a lock goes past those who wait to end the consent, and many hold them off for ever.
// Orders of several PSUs share the application: so they ask before by a lock that keeps the order of asking.
const LOCKED = "hashtextextended('application ' || $1::text, 0)";
const HOLD_APPLICATION = `SELECT FROM pg_advisory_xact_lock_shared(${LOCKED}), application
  WHERE id = $1 FOR KEY SHARE OF application`;
const HOLD_CONSENT = `SELECT FROM consent WHERE application_id = $1 AND psu_id = $2
  ORDER BY version DESC LIMIT 1 FOR NO KEY UPDATE`;

const TAKE_TURN = `SELECT pg_advisory_xact_lock(${LOCKED})`;

/**
 * Waits, before an application is locked to change it, for those who are keeping an order of it, and lets no
 * further ones go past.
 */
export async function takeTurnAtApplication(queries: Queries, id: ApplicationId): Promise<void> {
  await queries.run({ name: "application-turn", text: TAKE_TURN, values: [id] });
}

/**
 * Inside a transaction that keeps an order: until its end nobody ends the consent, and whoever ends it
 * afterwards finds the order.
 */
export async function holdPaymentConsent(
  queries: Queries,
  { applicationId, psu }: Pick<Payer, "applicationId" | "psu">,
): Promise<void> {
  await queries.run({ name: "payment-consent-application", text: HOLD_APPLICATION, values: [applicationId] });
  await queries.run({ name: "payment-consent-hold", text: HOLD_CONSENT, values: [applicationId, psu] });
}
