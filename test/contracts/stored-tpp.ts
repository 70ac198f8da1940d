import { type OrganisationIdentifier, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import type { NewConsent } from "../../packages/auth/src/consent/consent-store.ts";

/** The TPP of whatever a test stores, unless it says otherwise. */
export const OWNER = parseOrganisationIdentifier("PSDCZ-CNB-1");

/** Stores a TPP, on which its applications hang. */
export async function storeTpp(database: Database, owner: OrganisationIdentifier = OWNER): Promise<void> {
  const text = "INSERT INTO tpp VALUES ($1, 'TPP', 'CZ-CNB', 'CNB', '{PSP_AI,PSP_PI}')";
  await database.run({ name: "store-tpp", text, values: [owner] });
}

/** Stores an application of a TPP that is stored, and gives its id. */
export async function storeApplication(
  database: Database,
  owner: OrganisationIdentifier = OWNER,
): Promise<NewConsent["applicationId"]> {
  const id = createApplicationId();
  const text = `INSERT INTO application (id, owner, application_type, redirect_uris, client_name, localized_names,
    scopes, secret_hash) VALUES ($1, $2, 'web', '{}', 'A', '[]', '{aisp,pisp}', '')`;
  await database.run({ name: "store-application", text, values: [id, owner] });
  return id;
}
