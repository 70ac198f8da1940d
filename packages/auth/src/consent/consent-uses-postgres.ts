import type { Queries } from "@cobs/service-edge";
import type { ConsentId } from "./consent-id.ts";

// In the order of the ids, so that two processes that write the same ones do not deadlock.
const WRITE = `INSERT INTO consent_use (consent_id, used_at)
  SELECT id, now() FROM unnest($1::text[]) AS used (id) ORDER BY id
  ON CONFLICT (consent_id) DO UPDATE SET used_at = excluded.used_at
  WHERE consent_use.used_at <= excluded.used_at - interval '1 minute'`;

/** Records that these consents are used now; skips one that was recorded within the last minute. */
export async function writeUses(queries: Queries, ids: readonly ConsentId[]): Promise<void> {
  await queries.run({ name: "consent-uses", text: WRITE, values: [ids] });
}
