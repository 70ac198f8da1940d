import type { Queries } from "@cobs/service-edge";

const LOCKED = "hashtextextended('stop list ' || key, 0)";
const TAKE_TURN = `SELECT pg_advisory_xact_lock(${LOCKED}) FROM unnest($1::text[]) AS key`;
const HOLD_OFF = `SELECT coalesce(bool_and(pg_try_advisory_xact_lock_shared(${LOCKED})), false) AS is_held_off
  FROM unnest($1::text[]) AS key`;

/**
 * Waits for transactions that are keeping an order of this TPP or certificate, so that the block that follows finds their orders.
 */
export async function takeTurnAtOrders(queries: Queries, key: string): Promise<void> {
  await queries.run({ name: "stop-list-turn", text: TAKE_TURN, values: [[key]] });
}

/**
 * Holds off every block of these TPPs and certificates until the end of the transaction, which notes them with an order. False
 * when one of them is being blocked at this moment: a block may take long, and the caller does not wait for it.
 */
export async function holdOffBlocks(queries: Queries, keys: readonly string[]): Promise<boolean> {
  const statement = { name: "signing-hold-off-blocks", text: HOLD_OFF, values: [keys] };
  const [row] = await queries.run<{ is_held_off: boolean }>(statement);
  return row?.is_held_off ?? false;
}
