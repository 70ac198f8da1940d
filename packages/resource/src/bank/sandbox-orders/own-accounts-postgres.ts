import type { AccountId, CurrencyCode } from "@cobs/cobs-model";
import type { Queries } from "@cobs/service-edge";
import type { NewBooking } from "../post-booking-postgres.ts";

/** The bank's own accounts, the other side of payments in the ledger: interbank settlement, exchange and charges. */
const OWN = /^bank-/;

type OwnAccount = { readonly id: AccountId; readonly currency: CurrencyCode };

/** Creates the bank's own accounts that bookings need and the ledger lacks; they have no limit. */
export async function ensureOwnAccounts(queries: Queries, bookings: readonly NewBooking[]): Promise<void> {
  const own = new Map<AccountId, OwnAccount>();
  for (const { debit, credit, currency } of bookings)
    for (const { account: id } of [debit, credit]) if (OWN.test(id)) own.set(id, { id, currency });
  await queries.run({ ...ENSURE, values: [JSON.stringify([...own.values()])] });
}

// Inserts in the order of ids, which rules out deadlocks.
const ENSURE = {
  name: "sandbox-ensure-own-accounts",
  text: `INSERT INTO sandbox_ledger (account_id, currency)
    SELECT id, currency FROM json_to_recordset($1) AS own (id text, currency text)
    ORDER BY id ON CONFLICT DO NOTHING`,
};
