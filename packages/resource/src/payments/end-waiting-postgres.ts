import type { Database, Queries } from "@cobs/service-edge";
import type { EndedWaiting, WaitingSpan } from "./ended-waiting.ts";
import { isOverdue, lockPayment, makeMove } from "./move-payment-postgres.ts";
import type { NamedSigning } from "./overdue-payments.ts";
import type { PaymentId, SignId, SigningRequestId } from "./payment-ids.ts";
import { type PaymentRow, readState, requestOf } from "./payment-row.ts";
import type { Payer, PayerFilter, PaymentAct } from "./payment-store.ts";

interface PayerRow {
  readonly organisation_identifier: Payer["organisationIdentifier"];
  readonly application_id: Payer["applicationId"];
  readonly psu_id: Payer["psu"];
}

/** Finds the payers within the filter whose payments wait. */
export async function findWaitingPayers(
  queries: Queries,
  { applicationId, psu, organisationIdentifier }: PayerFilter,
): Promise<readonly Payer[]> {
  const values = [applicationId, psu, organisationIdentifier];
  const rows = await queries.run<PayerRow>({ ...WAITING_PAYERS, values });
  return rows.map((row) => ({
    organisationIdentifier: row.organisation_identifier,
    applicationId: row.application_id,
    psu: row.psu_id,
  }));
}

const WAITING_PAYERS = {
  name: "payment-waiting-payers",
  text: `SELECT DISTINCT organisation_identifier, application_id, psu_id FROM payment
    WHERE state = 'entered' AND ($1::text IS NULL OR application_id = $1) AND ($2::text IS NULL OR psu_id = $2)
      AND ($3::text IS NULL OR organisation_identifier = $3)`,
};

interface UnaskedRow {
  readonly payment_id: PaymentId;
  readonly sign_id: SignId;
}

/** Finds the waiting attempts of a payer that auth is not known to have. */
export async function findUnasked(
  queries: Queries,
  payer: Payer,
  span: WaitingSpan = {},
): Promise<readonly NamedSigning[]> {
  const values = valuesOf(payer, span);
  const rows = await queries.run<UnaskedRow>({ ...UNASKED, values });
  return rows.map((row) => ({ paymentId: row.payment_id, signId: row.sign_id }));
}

/**
 * A payer's waiting payments that fulfil a condition, within a span. They are all found before they are sorted: PostgreSQL would
 * otherwise look for the first ones among the payments of everybody, in the order of their ids.
 */
function waitingOf(condition: string): string {
  return `WITH waiting AS MATERIALIZED (
      SELECT payment_id, sign_id FROM payment
      WHERE ${condition} AND organisation_identifier = $1 AND application_id = $2 AND psu_id = $3
    )
    SELECT payment_id, sign_id FROM waiting
    WHERE payment_id > $4 AND ($5::text IS NULL OR payment_id <= $5) ORDER BY payment_id LIMIT $6`;
}

/** The parameters of {@link waitingOf}. */
function valuesOf(
  { organisationIdentifier, applicationId, psu }: Payer,
  { after, until, limit }: WaitingSpan,
): readonly unknown[] {
  return [organisationIdentifier, applicationId, psu, after ?? "", until, limit];
}

const UNASKED = {
  name: "payment-unasked-of",
  text: waitingOf("state = 'entered' AND signing_state = 'open'"),
};

/** Ends the payments of a payer that nobody can approve. */
export async function endWaiting(
  database: Database,
  { payer, span = {} }: { readonly payer: Payer; readonly span: WaitingSpan | undefined },
  act: PaymentAct,
): Promise<EndedWaiting> {
  const rows = await database.run<{ payment_id: PaymentId }>({ ...WAITING, values: valuesOf(payer, span) });
  const [ended, asked]: [PaymentId[], SigningRequestId[]] = [[], []];
  for (const { payment_id: id } of rows) {
    const outcome = await database.transaction((queries) => endOne(queries, id, act));
    if (outcome === "ended") ended.push(id);
    else if (outcome !== undefined) asked.push(outcome.request);
  }
  const last = rows.length === span.limit ? rows.at(-1)?.payment_id : span.until;
  return { ended, asked, ...(last !== undefined && { last }) };
}

const WAITING = {
  name: "payment-waiting-of",
  text: waitingOf("state = 'entered'"),
};

/**
 * Ends one payment. Returns auth's request if auth has the order and the end must wait for it; undefined when the payment no
 * longer waits, or is left to its expiry.
 */
async function endOne(
  queries: Queries,
  id: PaymentId,
  act: PaymentAct,
): Promise<"ended" | { readonly request: SigningRequestId } | undefined> {
  const row = await lockPayment(queries, id);
  // Before such a payment expires, auth is asked about it.
  if (row === undefined || (row.signing_state === "open" && isOverdue(row, act.now))) return undefined;
  const moved = await makeMove(queries, { row, move: endAt(row, act.now) }, act);
  if (!("refused" in moved)) return "ended";
  const request = moved.refused === "asked" ? requestOf(readState(row)) : undefined;
  return request && { request };
}

/** A payment whose time is over, and whose request auth has ended, expires; any other ends with its consent. */
function endAt(row: PaymentRow, now: Date) {
  return isOverdue(row, now)
    ? ({ move: "expire", now } as const)
    : ({ move: "end_consent", reason: "consent_ended", requestId: undefined } as const);
}
