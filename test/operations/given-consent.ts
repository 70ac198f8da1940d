import type { Database } from "@cobs/service-edge";
import type { ConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { consentTo } from "../contracts/sample-consent.ts";
import { storeApplication } from "../contracts/stored-tpp.ts";
import { psuAct } from "../contracts/test-acts.ts";

const DAY_SECONDS = 86_400;

/** Stores a consent to a new application, with a code, an access token and a refresh token whose values are its id. */
export async function giveConsent(
  database: Database,
  services: readonly ("aisp" | "pisp")[],
): Promise<ConsentId> {
  const consent = consentTo(await storeApplication(database), { services });
  await createConsentStore(database).give(consent, psuAct(consent.psu));
  const { id } = consent;
  for (const kind of ["AccessToken", "RefreshToken", "AuthorizationCode"])
    await createTokenStore(database).put({ kind, id }, {}, { grantId: id, lifetimeSeconds: DAY_SECONDS });
  return id;
}
