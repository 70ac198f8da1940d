import type { Queries } from "@cobs/service-edge";
import type { MadeMove } from "./made-move.ts";
import type { PaymentId } from "./payment-ids.ts";
import type { InitiatedPayment } from "./payment-store.ts";

interface MoveRow {
  readonly number: number;
  readonly move: MadeMove["move"];
  readonly moved_at: Date;
  readonly moved_by: MadeMove["by"];
  readonly cause: string | null;
  readonly facts: MadeMove["facts"];
  readonly request_id: string | null;
  readonly state_before: MadeMove["after"] | null;
  readonly state_after: MadeMove["after"];
}

/** Reads the record of a payment, the first move first. */
export async function movesOf(queries: Queries, id: PaymentId): Promise<readonly MadeMove[]> {
  const text = `SELECT number, move, moved_at, moved_by, cause, facts, request_id, state_before, state_after
    FROM payment_move WHERE payment_id = $1 ORDER BY number`;
  const rows = await queries.run<MoveRow>({ name: "payment-moves", text, values: [id] });
  return rows.map((row) => ({
    number: row.number,
    move: row.move,
    at: row.moved_at,
    by: row.moved_by,
    cause: row.cause ?? undefined,
    facts: row.facts,
    requestId: row.request_id ?? undefined,
    before: row.state_before ?? undefined,
    after: row.state_after,
  }));
}

/** Finds who entered a payment, and under which consent. */
export async function initiatorOf(queries: Queries, id: PaymentId): Promise<InitiatedPayment | undefined> {
  const text = `SELECT organisation_identifier AS "organisationIdentifier", application_id AS "applicationId",
    consent_id AS "consentId" FROM payment WHERE payment_id = $1`;
  const [row] = await queries.run<InitiatedPayment>({ name: "payment-initiator", text, values: [id] });
  return row;
}
