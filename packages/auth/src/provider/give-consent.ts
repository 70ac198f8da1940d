import { parsePsuId } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { ApplicationStore } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { Act } from "../audit/act.ts";
import { type ConsentId, createConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import { type ConsentDecision, PendingAuthorizationGone } from "../journey/pending-authorization.ts";
import { authenticatedAt, type Interaction, requestedScopes } from "./find-interaction.ts";

/** What a consent is stored with. */
export interface ConsentParts {
  readonly applications: ApplicationStore;
  readonly consents: ConsentStore;
  readonly clock: Clock;
  readonly consentLifetimeDays: number;
}

const DAY_MILLISECONDS = 86_400_000;

async function requireFacts(interaction: Interaction, applications: ApplicationStore) {
  const id = findApplicationId(interaction.params.client_id);
  const application = id === undefined ? undefined : await applications.findById(id);
  const authenticated = authenticatedAt(interaction);
  const psu = interaction.session?.accountId;
  if (application === undefined || authenticated === undefined || psu === undefined) {
    throw new PendingAuthorizationGone();
  }
  return { application, authenticated, psu: parsePsuId(psu) };
}

function requireAsked(interaction: Interaction, decision: ConsentDecision): void {
  const asked = requestedScopes(interaction);
  const covered = decision.services.every((service) => asked.includes(service));
  if (decision.services.length === 0 || !covered)
    throw new TypeError("a consent covers what was not asked for");
}

/**
 * Stores what the PSU decided, valid for so many days from the strong authentication (RTS Article 10(2)(b)), and ends
 * what they had agreed with the application before. Throws `PendingAuthorizationGone` for every call but the first.
 */
export async function giveConsent(
  parts: ConsentParts,
  interaction: Interaction,
  decision: ConsentDecision & { readonly requestId: string },
): Promise<ConsentId> {
  requireAsked(interaction, decision);
  const { application, authenticated, psu } = await requireFacts(interaction, parts.applications);
  const id = createConsentId();
  const consent = {
    id,
    organisationIdentifier: application.owner,
    applicationId: application.id,
    psu,
    services: decision.services,
    accounts: decision.accounts,
    givenAt: parts.clock.now(),
    authenticatedAt: authenticated,
    validUntil: new Date(authenticated.getTime() + parts.consentLifetimeDays * DAY_MILLISECONDS),
    approval: interaction.uid,
  };
  const act: Act = { actor: { kind: "psu", psu }, requestId: decision.requestId };
  const given = await parts.consents.give(consent, act);
  if (!given) throw new PendingAuthorizationGone();
  return id;
}
