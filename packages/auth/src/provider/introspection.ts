import type { AccessToken, ClientCredentials, RefreshToken } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentUses } from "../consent/note-uses.ts";
import type { ConsentsOfCalls } from "./consents-of-calls.ts";

/** What introspection needs. */
export interface IntrospectionParts {
  readonly consents: Pick<ConsentsOfCalls, "ofUnblockedToken">;
  readonly consentUses: Pick<ConsentUses, "note">;
}

/**
 * Decides whether a token is active, and adds what the resource server needs to know of the consent. The consent is
 * read now, not when the token was issued, so the end of the consent ends the token. A token whose TPP or certificate
 * is blocked is inactive while the block lasts. A refresh token is never active here, because it must not be used at
 * the API (COBS PDF 1.3.1). An active answer is recorded as a use of the consent, for its PSU to see, and says when the
 * PSU was strongly authenticated for it (RFC 9470 6.2). The caller has been authenticated before (RFC 7662 2.1).
 */
export function describeForResource(
  token: AccessToken | ClientCredentials | RefreshToken,
  { consents, consentUses }: IntrospectionParts,
): boolean {
  if (token.kind !== "AccessToken") return false;
  const id = parseConsentId(token.grantId);
  const consent = id === undefined ? undefined : consents.ofUnblockedToken(id);
  if (consent === undefined) return false;
  consentUses.note(consent.id);
  token.extra = {
    consent_id: consent.id,
    organisation_identifier: consent.organisationIdentifier,
    account_ids: consent.accounts,
    consented_services: consent.services,
    auth_time: Math.floor(consent.authenticatedAt.getTime() / 1000),
  };
  return true;
}
