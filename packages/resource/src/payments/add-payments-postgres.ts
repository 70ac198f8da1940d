import type { Queries } from "@cobs/service-edge";
import type { EnteredPayment, PaymentTerms } from "./payment.ts";
import type { PaymentId } from "./payment-ids.ts";
import { describeEntry } from "./payment-record.ts";
import type { Entry, EntryOutcome, PaymentAct } from "./payment-store.ts";
import { writeStoredAmount, writeStoredOrder } from "./stored-order.ts";
import { addLines } from "./write-record-postgres.ts";

/** A payment that is not stored yet. */
export interface NewEntry {
  readonly terms: PaymentTerms;
  readonly entry: Entry;
  readonly act: PaymentAct;
}

/**
 * Adds payments, each with its record, in one statement. Gives undefined for each payment whose instruction identification is
 * taken, also by an earlier one in the same statement.
 */
export async function addPayments(
  queries: Queries,
  all: readonly NewEntry[],
): Promise<readonly (EntryOutcome | undefined)[]> {
  const values = [`[${all.map(writeEntry).join()}]`];
  const rows = await queries.run<{ payment_id: PaymentId }>({ ...ADD, values });
  const added = new Set(rows.map(({ payment_id }) => payment_id));
  return all.map(({ terms, entry: { signId } }) =>
    added.has(terms.id) ? { result: "entered", payment: enteredPayment(terms, signId) } : undefined,
  );
}

/**
 * Creates a payment as it is at its entry. The members are copied one by one, because a spread would cost as much as all the
 * payment's JSON.
 */
export function enteredPayment(terms: PaymentTerms, signId: Entry["signId"]): EnteredPayment {
  return {
    id: terms.id,
    organisationIdentifier: terms.organisationIdentifier,
    applicationId: terms.applicationId,
    psu: terms.psu,
    consentId: terms.consentId,
    account: terms.account,
    order: terms.order,
    executionDate: terms.executionDate,
    fee: terms.fee,
    changed: terms.changed,
    orderText: terms.orderText,
    digest: terms.digest,
    createdAt: terms.createdAt,
    expiresAt: terms.expiresAt,
    state: "entered",
    signId,
    earlierSignIds: [],
    signing: { state: "open" },
  };
}

/**
 * Writes the columns of both rows as JSON: bytes in hexadecimal digits, times in ISO 8601. Members that are JSON already are
 * embedded as such, and PostgreSQL keeps them byte for byte. As a string inside JSON they would be escaped and parsed twice.
 */
function writeEntry({ terms, entry, act }: NewEntry): string {
  const content = writeStoredOrder(terms.order);
  const { id, digest, psu, account, fee } = terms;
  const { move, by: movedBy, facts } = describeEntry({ digest, content, psu, account });
  const createdAt = terms.createdAt.toISOString();
  const columns = JSON.stringify({
    payment_id: id,
    organisation_identifier: terms.organisationIdentifier,
    application_id: terms.applicationId,
    psu_id: psu,
    consent_id: terms.consentId,
    account_id: account,
    instruction_identification: terms.order.instructionIdentification,
    fee: fee && writeStoredAmount(fee),
    execution_date: terms.executionDate,
    is_changed: terms.changed,
    digest: digest.toString("hex"),
    created_at: createdAt,
    expires_at: terms.expiresAt.toISOString(),
    sign_id: entry.signId,
    move,
    moved_by: movedBy,
    moved_at: act.now === terms.createdAt ? createdAt : act.now.toISOString(),
    facts,
    request_id: act.requestId,
  });
  return `${columns.slice(0, -1)},"order_content":${content},"order_text":${terms.orderText}}`;
}

/** Lines for the record of an entry, which has no cause and no state before it. */
const LINES = addLines({
  from: "given JOIN added USING (payment_id)",
  number: "1",
  line: ["move", "moved_by", "NULL", "facts", "request_id"],
  at: "moved_at",
  before: "NULL",
});

// Inserted in the order of the unique index, so that two statements that add the same payments wait for each other in one
// direction only.
const ADD = {
  name: "payment-add",
  text: `WITH given AS (
      SELECT * FROM json_to_recordset($1::json) AS given (payment_id text, organisation_identifier text,
        application_id text, psu_id text, consent_id text, account_id text, instruction_identification text,
        order_content json, fee text, execution_date date, is_changed boolean, order_text json, digest text,
        created_at timestamptz, expires_at timestamptz, sign_id text, move text, moved_by text, moved_at timestamptz,
        facts jsonb, request_id text)
    ), added AS (
      INSERT INTO payment (payment_id, organisation_identifier, application_id, psu_id, consent_id, account_id,
        instruction_identification, order_content, fee, execution_date, is_changed, order_text, digest, created_at,
        expires_at, sign_id, earlier_sign_ids, state, signing_state, moves, moved_at)
      SELECT payment_id, organisation_identifier, application_id, psu_id, consent_id, account_id,
        instruction_identification, order_content::text, fee, execution_date, is_changed, order_text::text,
        decode(digest, 'hex'),
        created_at, expires_at, sign_id, '{}', 'entered', 'open', 1, moved_at
      FROM given ORDER BY organisation_identifier COLLATE "C", instruction_identification COLLATE "C"
      ON CONFLICT (organisation_identifier, instruction_identification) DO NOTHING
      RETURNING payment_id, state
    )
    ${LINES}
    RETURNING payment_id`,
};
