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

/** The consent stores that the other parts of the server use. */
export interface OpenedConsents {
  readonly consents: ConsentStore;
  readonly psuConsents: PsuConsents;
  readonly consentUses: ConsentUses;
  readonly cardConsents: CardConsentStore;
}

/** Opens the consent stores and starts two jobs: one writes the last use of each consent, one ends expired consents. */
export function openConsents(parts: ServiceParts): OpenedConsents {
  const { database, clock, log, lifecycle, countJob, metrics } = parts;
  const again = trustingDatabaseClock({ database, clock }, countJob("consent_expiry"));
  const expiry = startConsentExpiry({ database, log, again });
  lifecycle.onStop("consent expiry", expiry.stop);
  const onLost = createConsentUseMetrics(metrics).lost;
  const consentUses = startNotingUses({ database, clock, log, onLost, again: countJob("consent_uses") });
  lifecycle.onStop("uses of consents", consentUses.stop);
  const consents = createConsentStore(database);
  const psuConsents = createPsuConsents(database);
  return { consents, psuConsents, consentUses, cardConsents: createCardConsentStore(database, clock) };
}
