import { type ServiceParts, trustingDatabaseClock } from "@cobs/service-edge";
import { createCardConsentStore } from "./card-consent/card-consent-postgres.ts";
import type { CardConsentStore } from "./card-consent/card-consent-store.ts";
import { createConsentStore } from "./consent/consent-postgres.ts";
import type { ConsentStore } from "./consent/consent-store.ts";
import { type ConsentUses, startNotingUses } from "./consent/note-uses.ts";
import type { PsuConsents } from "./consent/psu-consents.ts";
import { createPsuConsents } from "./consent/psu-consents-postgres.ts";
import { startConsentExpiry } from "./consent/start-consent-expiry.ts";
import { createConsentUseMetrics } from "./consent/use-metrics.ts";
import { startForgettingRecords } from "./records/start-forgetting-records.ts";

/** The consent stores that the other parts of the server use. */
export interface OpenedConsents {
  readonly consents: ConsentStore;
  readonly psuConsents: PsuConsents;
  readonly consentUses: ConsentUses;
  readonly cardConsents: CardConsentStore;
}

/**
 * Opens the consent stores and starts three jobs: one writes the last use of each consent, one ends expired consents,
 * and one deletes old records, consents among them.
 */
export function openConsents(
  { database, clock, log, lifecycle, countJob, metrics }: ServiceParts,
  recordRetentionDays: number,
): OpenedConsents {
  const carefully = (job: string) => trustingDatabaseClock({ database, clock }, countJob(job));
  const expiry = startConsentExpiry({ database, log, again: carefully("consent_expiry") });
  lifecycle.onStop("consent expiry", expiry.stop);
  const onLost = createConsentUseMetrics(metrics).lost;
  const consentUses = startNotingUses({ database, clock, log, onLost, again: countJob("consent_uses") });
  lifecycle.onStop("uses of consents", consentUses.stop);
  const forgetting = startForgettingRecords(
    { database, log, again: carefully("records_forgetting") },
    recordRetentionDays,
  );
  lifecycle.onStop("old records", forgetting.stop);
  const consents = createConsentStore(database);
  const psuConsents = createPsuConsents(database);
  return { consents, psuConsents, consentUses, cardConsents: createCardConsentStore(database, clock) };
}
