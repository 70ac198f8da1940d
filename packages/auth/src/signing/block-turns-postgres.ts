import type { Queries } from "@cobs/service-edge";
import type { SigningTerms } from "./signing-request.ts";

const LOCKED = "hashtextextended('stop list ' || key, 0)";
const TAKE_TURN = `SELECT pg_advisory_xact_lock(${LOCKED}) FROM unnest($1::text[]) AS key`;
const HOLD_OFF = `SELECT coalesce(bool_and(pg_try_advisory_xact_lock_shared(${LOCKED})), false) AS is_held_off
  FROM unnest($1::text[]) AS key`;

/** Waits for those who are keeping an order of a TPP or a certificate that is to be blocked: the block finds their orders. */
export async function takeTurnAtOrders(queries: Queries, key: string): Promise<void> {
  await queries.run({ name: "stop-list-turn", text: TAKE_TURN, values: [[key]] });
}

/**
 * Inside a transaction that keeps an order, holds off every block of its TPP and its certificates until the end. False when
 * somebody blocks one of them at this moment: a block may take long, and nobody who asks waits for it.
 */
export async function holdOffBlocks(
  queries: Queries,
  { organisationIdentifier, certificates }: Pick<SigningTerms, "organisationIdentifier" | "certificates">,
): Promise<boolean> {
  const values = [[organisationIdentifier, ...certificates]];
  const statement = { name: "signing-hold-off-blocks", text: HOLD_OFF, values };
  const [row] = await queries.run<{ is_held_off: boolean }>(statement);
  return row?.is_held_off ?? false;
}
