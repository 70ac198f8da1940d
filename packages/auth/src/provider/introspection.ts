import type { AccessToken, ClientCredentials, RefreshToken } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentUses } from "../consent/note-uses.ts";
import type { ConsentsOfCalls } from "./consents-of-calls.ts";

/** What it is decided with. */
export interface IntrospectionParts {
  readonly consents: Pick<ConsentsOfCalls, "ofUnblockedToken">;
  readonly consentUses: Pick<ConsentUses, "note">;
}

/**
 * Decides whether a token is shown as active, and adds what the resource server needs of the consent. That is read with
 * the token and not when the token was issued, so that a consent that has ended ends the token. The token of a blocked TPP, or
 * bound to a blocked certificate, is inactive as long as the block holds. A refresh token is never active here: nobody
 * may use one against the API (COBS PDF 1.3.1). An active answer is a use of the consent, which is noted for its PSU, and
 * tells when the PSU was authenticated strongly for it (RFC 9470 6.2). The caller was authenticated before (RFC 7662 2.1).
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
