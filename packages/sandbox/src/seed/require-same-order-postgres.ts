import type { SandboxHistory } from "@cobs/resource/sandbox";
import type { ClientBase } from "pg";
import { SeedRefusal } from "./seed-refusal.ts";

/** A history as it was ordered: the number of transactions of each account, and the account that one more would be. */
export type OrderedHistory = SandboxHistory & {
  readonly counts: readonly { readonly id: string; readonly transactions: number }[];
  readonly oneMore: string;
};

/** Requires that what was loaded under the name of a history is this history. Refuses with `usage`. */
export async function requireSameOrder(
  client: ClientBase,
  { counts, oneMore, access: [first] }: OrderedHistory,
): Promise<void> {
  const values = [JSON.stringify(counts), oneMore, first?.psu, first?.account];
  const { rowCount } = await client.query(DIFFERENCES, values);
  if (rowCount === 0) return;
  throw new SeedRefusal(
    "usage",
    "this --seed was loaded with other options, and nothing was added; choose another --seed",
  );
}

// Whatever was booked on the accounts since has another id.
const DIFFERENCES = `SELECT FROM json_to_recordset($1) AS wanted (id text, transactions bigint)
  WHERE ARRAY(SELECT seq FROM sandbox_entry
      WHERE account_id = id AND seq IN (transactions, transactions + 1) AND booking_id LIKE 'S-%') <> ARRAY[transactions]
  UNION ALL SELECT FROM sandbox_account WHERE account_id = $2
  UNION ALL SELECT WHERE NOT EXISTS (SELECT FROM sandbox_account_access WHERE psu_id = $3 AND account_id = $4)`;
