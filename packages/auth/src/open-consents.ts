import type { Clock, Database, Lifecycle, Log } from "@cobs/service-edge";
import { createCardConsentStore } from "./card-consent/card-consent-postgres.ts";
import type { CardConsentStore } from "./card-consent/card-consent-store.ts";
import { createConsentStore } from "./consent/consent-postgres.ts";
import type { ConsentStore } from "./consent/consent-store.ts";
import { type ConsentUses, startNotingUses } from "./consent/note-uses.ts";
import type { PsuConsents } from "./consent/psu-consents.ts";
import { createPsuConsents } from "./consent/psu-consents-postgres.ts";
import { startConsentExpiry } from "./consent/start-consent-expiry.ts";

/** What consents are opened with. */
export interface ConsentOpening {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** Consents as all parts of the server use them. */
export interface OpenedConsents {
  readonly consents: ConsentStore;
  readonly psuConsents: PsuConsents;
  readonly consentUses: ConsentUses;
  readonly cardConsents: CardConsentStore;
}

/** Opens the store, and what is written beside it: the last use of consents, and the end of those whose time is over. */
export function openConsents({ database, clock, log, lifecycle }: ConsentOpening): OpenedConsents {
  const expiry = startConsentExpiry({ database, log });
  lifecycle.onStop("consent expiry", () => expiry.stop());
  const consentUses = startNotingUses({ database, clock, log });
  lifecycle.onStop("uses of consents", () => consentUses.stop());
  const [consents, psuConsents] = [createConsentStore(database), createPsuConsents(database)];
  return { consents, psuConsents, consentUses, cardConsents: createCardConsentStore(database, clock) };
}
