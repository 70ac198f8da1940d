import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import { type ConsentId, createConsentId } from "../../packages/auth/src/consent/consent-id.ts";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createTokenStore } from "../../packages/auth/src/provider/token-store-postgres.ts";
import { psuAct } from "../contracts/test-acts.ts";

export const OWNER = parseOrganisationIdentifier("PSDCZ-CNB-1");
export const PSU = parsePsuId("psu");
const DAY = 86_400_000;

/** Lets the TPP in that has the consents. */
export async function admitTpp(database: Database): Promise<void> {
  const text = "INSERT INTO tpp VALUES ($1, 'TPP', 'CZ-CNB', 'CNB', '{PSP_AI,PSP_PI}')";
  await database.run({ name: "", text, values: [OWNER] });
}

/** A consent to an application of its own, with a code, an access token and a refresh token whose values are its id. */
export async function giveConsent(
  database: Database,
  services: readonly ("aisp" | "pisp")[],
): Promise<ConsentId> {
  const applicationId = createApplicationId();
  const application = `INSERT INTO application (id, owner, application_type, redirect_uris, client_name, localized_names,
    scopes, secret_hash) VALUES ($1, $2, 'web', '{}', 'A', '[]', '{aisp,pisp}', '')`;
  await database.run({ name: "", text: application, values: [applicationId, OWNER] });
  const id = createConsentId();
  const givenAt = new Date();
  const terms = { id, organisationIdentifier: OWNER, applicationId, psu: PSU, approval: id };
  const what = { services, accounts: [parseAccountId("a")], validUntil: new Date(Date.now() + DAY) };
  await createConsentStore(database).give(
    { ...terms, ...what, givenAt, authenticatedAt: givenAt },
    psuAct(PSU),
  );
  for (const kind of ["AccessToken", "RefreshToken", "AuthorizationCode"])
    await createTokenStore(database).put({ kind, id }, {}, { grantId: id, lifetimeSeconds: DAY / 1000 });
  return id;
}
