import type { ApplicationId } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";

const LENGTHEN = `UPDATE application SET access_token_lifetime_seconds = $2
  WHERE id = $1 AND deleted_at IS NULL AND access_token_lifetime_seconds IS DISTINCT FROM $2`;

/**
 * Gives an application a longer access token lifetime than configured, for a sandbox whose printed example has to work
 * for days. Only a server in sandbox mode reads it. Tokens never outlive their consent.
 */
export async function lengthenAccessTokens(
  database: Database,
  id: ApplicationId,
  lifetimeSeconds: number,
): Promise<void> {
  await database.run({ name: "application-lengthen", text: LENGTHEN, values: [id, lifetimeSeconds] });
}
