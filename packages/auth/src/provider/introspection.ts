import type { AccessToken, ClientCredentials, RefreshToken } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";

/**
 * Decides whether a token is shown as active, and adds what the resource server needs of the consent. It is read now
 * and not when the token was issued, so that a consent that has ended ends the token. A refresh token is never active
 * here: nobody may use one against the API (COBS PDF 1.3.1). The caller was authenticated before (RFC 7662 2.1).
 */
export async function describeForResource(
  token: AccessToken | ClientCredentials | RefreshToken,
  consents: ConsentStore,
): Promise<boolean> {
  if (token.kind !== "AccessToken") return false;
  const id = parseConsentId(token.grantId);
  const consent = id === undefined ? undefined : await consents.findActive(id);
  if (consent === undefined) return false;
  token.extra = {
    consent_id: consent.id,
    organisation_identifier: consent.organisationIdentifier,
    account_ids: consent.accounts,
    consented_services: consent.services,
  };
  return true;
}
