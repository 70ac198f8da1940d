import type { Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendEvents } from "../feed/append-events-postgres.ts";
import type { FeedEvent } from "../feed/feed-event.ts";
import { type ActOfPayer, endSignings } from "../signing/end-signings-postgres.ts";
import type { EndedConsent } from "./record-consents.ts";

/**
 * Ends the orders that wait for approval under ended consents (PSD2 Article 80(2)), in the transaction that ended the
 * consents. Returns the events that make resource end the payments; none for consents that do not cover payments.
 */
export async function endPaymentsOf(
  queries: Queries,
  ended: readonly EndedConsent[],
  act: Act | ActOfPayer,
): Promise<readonly FeedEvent[]> {
  const toPayments = ended.filter(({ services }) => services.includes("pisp"));
  if (toPayments.length === 0) return [];
  const payers = toPayments.map((each) => ({ applicationId: each.application_id, psu: each.psu_id }));
  await endSignings(queries, { of: "payers", payers }, act);
  return toPayments.map((each) => ({
    kind: "payment_consent",
    key: `${each.application_id} ${each.psu_id}`,
  }));
}

/** Makes the event of an ended consent. */
export const endingOf = ({ id }: EndedConsent): FeedEvent => ({ kind: "consent", key: id });

/** Ends the payments of ended consents and appends the events of both, last in the transaction that ended and recorded them. */
export async function tellEnded(
  queries: Queries,
  ended: readonly EndedConsent[],
  act: Act | ActOfPayer,
): Promise<void> {
  const endings = await endPaymentsOf(queries, ended, act);
  await appendEvents(queries, [...ended.map(endingOf), ...endings]);
}
