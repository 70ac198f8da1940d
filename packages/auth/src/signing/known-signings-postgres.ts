import type { Queries } from "@cobs/service-edge";
import type { SigningRequestId } from "./signing-request-id.ts";
import type { KnownSigning, NamedSigning } from "./signing-store.ts";

interface KnownRow {
  readonly id: SigningRequestId;
  readonly payment_id: string;
  readonly sign_id: string;
}

/** Finds the requests kept for these attempts: one index search for each, in one statement. */
export async function findKnownSignings(
  queries: Queries,
  signings: readonly NamedSigning[],
): Promise<readonly KnownSigning[]> {
  const values = [signings.map(({ paymentId }) => paymentId), signings.map(({ signId }) => signId)];
  const rows = await queries.run<KnownRow>({ name: "signing-find-known", text: KNOWN, values });
  return rows.map((row) => ({ id: row.id, paymentId: row.payment_id, signId: row.sign_id }));
}

// LATERAL with LIMIT 1, so that a plan made while the table was small still uses the index when it has grown.
const KNOWN = `SELECT id, payment_id, sign_id FROM unnest($1::text[], $2::text[]) AS asked (asked_payment, asked_sign)
  CROSS JOIN LATERAL (SELECT id, payment_id, sign_id FROM signing_request
    WHERE payment_id = asked_payment AND sign_id = asked_sign LIMIT 1) AS signing_request`;
