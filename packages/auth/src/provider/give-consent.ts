import type { PsuId } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { validUntil } from "../consent/consent.ts";
import { type ConsentId, createConsentId } from "../consent/consent-id.ts";
import type { ConsentStore, NewConsent } from "../consent/consent-store.ts";
import {
  type ConsentDecision,
  type PendingAuthorization,
  PendingAuthorizationGone,
} from "../journey/pending-authorization.ts";
import { authenticatedAt, type Interaction, requestedScopes } from "./find-interaction.ts";

/** What storing a consent needs. */
export interface ConsentParts {
  readonly consents: ConsentStore;
  readonly clock: Clock;
  readonly consentLifetimeDays: number;
}

/** An interaction with the PSU of its sign-in, which was found to count still. */
export interface SignedInInteraction {
  readonly interaction: Interaction;
  readonly psu: PsuId;
}

function requireAsked(interaction: Interaction, decision: ConsentDecision): void {
  const asked = requestedScopes(interaction);
  const covered = decision.services.every((service) => asked.includes(service));
  if (decision.services.length === 0 || !covered)
    throw new TypeError("a consent covers no scope, or one that was not requested");
}

const termsOf = ({ services, accounts }: Pick<NewConsent, "services" | "accounts">) =>
  JSON.stringify([services, accounts]);

/**
 * Finds the consent if the decision was stored before without anyone learning it: the database's answer was lost, or a
 * later step failed.
 */
async function findStored({ consents }: ConsentParts, decided: NewConsent): Promise<ConsentId> {
  const stored = await consents.findGiven(decided.approval);
  if (stored === undefined || termsOf(stored) !== termsOf(decided)) throw new PendingAuthorizationGone();
  return stored.id;
}

/**
 * Stores the PSU's decision, and ends the PSU's earlier consents to the application. The same decision again gives the
 * stored consent. Throws `PendingAuthorizationGone` for a different decision, and when the application is gone, which
 * the storing statement checks.
 */
export async function giveConsent(
  parts: ConsentParts,
  { interaction, psu }: SignedInInteraction,
  decision: ConsentDecision & Pick<PendingAuthorization, "application"> & { readonly requestId: string },
): Promise<ConsentId> {
  requireAsked(interaction, decision);
  const { application } = decision;
  const authenticated = authenticatedAt(interaction);
  if (authenticated === undefined) throw new PendingAuthorizationGone();
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
    validUntil: validUntil(authenticated, parts.consentLifetimeDays),
    approval: interaction.uid,
  };
  const act: Act = { actor: { kind: "psu", psu }, requestId: decision.requestId };
  return (await parts.consents.give(consent, act)) ? id : findStored(parts, consent);
}
