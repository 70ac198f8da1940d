import { parseCertificateThumbprint } from "@cobs/psd2-certificates";
import type { AccessToken, ClientCredentials, RefreshToken } from "oidc-provider";
import { parseConsentId } from "../consent/consent-id.ts";
import type { ConsentStore } from "../consent/consent-store.ts";
import type { ConsentUses } from "../consent/note-uses.ts";
import type { StopList } from "../tpp/stop-list.ts";

/** What it is decided with. */
export interface IntrospectionParts {
  readonly consents: Pick<ConsentStore, "findActive">;
  readonly stopList: Pick<StopList, "findBlocked">;
  readonly consentUses: Pick<ConsentUses, "note">;
}

/**
 * Decides whether a token is shown as active, and adds what the resource server needs of the consent. It is read now
 * and not when the token was issued, so that a consent that has ended ends the token. The token of a blocked TPP, or
 * bound to a blocked certificate, is inactive as long as the block holds. A refresh token is never active here: nobody
 * may use one against the API (COBS PDF 1.3.1). An active answer is a use of the consent, which is noted for its PSU, and
 * tells when the PSU was authenticated strongly for it (RFC 9470 6.2). The caller was authenticated before (RFC 7662 2.1).
 */
export async function describeForResource(
  token: AccessToken | ClientCredentials | RefreshToken,
  { consents, stopList, consentUses }: IntrospectionParts,
): Promise<boolean> {
  if (token.kind !== "AccessToken") return false;
  const id = parseConsentId(token.grantId);
  const consent = id === undefined ? undefined : await consents.findActive(id);
  if (consent === undefined) return false;
  const { organisationIdentifier } = consent;
  const thumbprint = parseCertificateThumbprint(token["x5t#S256"]);
  if ((await stopList.findBlocked({ organisationIdentifier, thumbprint })) !== undefined) return false;
  consentUses.note(consent.id);
  token.extra = {
    consent_id: consent.id,
    organisation_identifier: organisationIdentifier,
    account_ids: consent.accounts,
    consented_services: consent.services,
    auth_time: Math.floor(consent.authenticatedAt.getTime() / 1000),
  };
  return true;
}
