import type { Queries } from "@cobs/service-edge";
import { blocksNow } from "../tpp/stop-list-postgres.ts";
import type { SigningTerms } from "./signing-request.ts";

const IS_BLOCKED = `SELECT FROM stop_list_block
  WHERE ${blocksNow("certificate", "ANY ($1::text[])")} LIMIT 1`;

/**
 * Tells whether a certificate that an order was sent with is on the stop list, because then nobody knows who really sent it.
 */
export async function isOfBlockedCertificate(
  queries: Queries,
  { certificates }: Pick<SigningTerms, "certificates">,
): Promise<boolean> {
  if (certificates.length === 0) return false;
  const statement = { name: "signing-certificate-blocked", text: IS_BLOCKED, values: [certificates] };
  return (await queries.run(statement)).length > 0;
}
