import { type OrganisationIdentifier, parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import type { NewConsent } from "../../packages/auth/src/consent/consent-store.ts";

/** The default TPP of everything that a test stores. */
export const OWNER = parseOrganisationIdentifier("PSDCZ-CNB-1");

/** Stores a TPP, which its applications need. */
export async function storeTpp(database: Database, owner: OrganisationIdentifier = OWNER): Promise<void> {
  const text = "INSERT INTO tpp VALUES ($1, 'TPP', 'CZ-CNB', 'CNB', '{PSP_AI,PSP_PI}')";
  await database.run({ name: "store-tpp", text, values: [owner] });
}

/** Stores an application of a stored TPP, and returns its id. */
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
