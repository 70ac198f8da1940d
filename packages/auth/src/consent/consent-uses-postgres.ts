import type { Queries } from "@cobs/service-edge";
import type { ConsentId } from "./consent-id.ts";

// In the order of the ids, so that two processes with the same ones do not wait for each other in a circle.
const WRITE = `INSERT INTO consent_use (consent_id, used_at)
  SELECT id, now() FROM unnest($1::text[]) AS used (id) ORDER BY id
  ON CONFLICT (consent_id) DO UPDATE SET used_at = excluded.used_at
  WHERE consent_use.used_at <= excluded.used_at - interval '1 minute'`;

/** Writes that these consents are used now; one that another process wrote within the last minute stays as it is. */
export async function writeUses(queries: Queries, ids: readonly ConsentId[]): Promise<void> {
  await queries.run({ name: "consent-uses", text: WRITE, values: [ids] });
}
