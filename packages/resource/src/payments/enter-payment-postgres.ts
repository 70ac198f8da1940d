import type { Database, Queries } from "@cobs/service-edge";
import type { EnteredPayment, PaymentTerms } from "./payment.ts";
import type { PaymentId } from "./payment-ids.ts";
import { describeEntry } from "./payment-record.ts";
import { PAYMENT_COLUMNS, type PaymentRow, readTerms } from "./payment-row.ts";
import type { Entry, EntryOutcome, IdempotencyKey, PaymentAct } from "./payment-store.ts";
import { writeStoredAmount, writeStoredOrder } from "./stored-order.ts";

/** For so long a key gives the payment that it has entered. */
export const KEY_LIFETIME_MILLISECONDS = 24 * 60 * 60_000;

interface KeyRow {
  readonly body_hash: Buffer;
  readonly payment_id: PaymentId;
}

interface NewEntry {
  readonly terms: PaymentTerms;
  readonly entry: Entry;
  readonly by: PaymentAct;
}

/** Thrown to give an idempotency key back with the transaction that has taken it. */
class DuplicateInstruction extends Error {
  override readonly name = "DuplicateInstruction";
}

/** Enters a payment as the contract of the store says. */
export async function enterPayment(database: Database, entered: NewEntry): Promise<EntryOutcome> {
  const { idempotency } = entered.entry;
  if (idempotency === undefined) {
    return (await addPayment(database, entered)) ?? findDuplicate(database, entered.terms);
  }
  try {
    return await database.transaction((queries) => enterUnderKey(queries, entered, idempotency));
  } catch (error) {
    if (error instanceof DuplicateInstruction) return findDuplicate(database, entered.terms);
    throw error;
  }
}

/** The key is taken first: whoever has the same one waits here, and sees the payment afterwards. */
async function enterUnderKey(
  queries: Queries,
  entered: NewEntry,
  idempotency: IdempotencyKey,
): Promise<EntryOutcome> {
  if (!(await takeKey(queries, entered, idempotency))) return replay(queries, entered, idempotency);
  const added = await addPayment(queries, entered);
  if (added === undefined) throw new DuplicateInstruction();
  return added;
}

async function takeKey(
  queries: Queries,
  { terms, by }: NewEntry,
  { key, bodyHash }: IdempotencyKey,
): Promise<boolean> {
  const over = new Date(by.now.getTime() - KEY_LIFETIME_MILLISECONDS);
  const values = [terms.organisationIdentifier, key, bodyHash, terms.id, by.now, over];
  return (await queries.run({ ...TAKE_KEY, values })).length === 1;
}

const TAKE_KEY = {
  name: "payment-take-key",
  text: `INSERT INTO idempotency_key AS kept (organisation_identifier, key, body_hash, payment_id, created_at)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organisation_identifier, key) DO UPDATE SET body_hash = excluded.body_hash,
      payment_id = excluded.payment_id, created_at = excluded.created_at
    WHERE kept.created_at <= $6
    RETURNING key`,
};

async function replay(
  queries: Queries,
  { terms }: NewEntry,
  { key, bodyHash }: IdempotencyKey,
): Promise<EntryOutcome> {
  const values = [terms.organisationIdentifier, key];
  const [row] = await queries.run<KeyRow & PaymentRow>({ ...FIND_KEY, values });
  if (row === undefined) throw new TypeError("a payment is kept for as long as its idempotency key");
  const isSame =
    row.body_hash.equals(bodyHash) && row.psu_id === terms.psu && row.application_id === terms.applicationId;
  return isSame ? { result: "replayed", payment: asEntered(row) } : { result: "key_reused" };
}

const FIND_KEY = {
  name: "payment-find-key",
  text: `SELECT body_hash, ${PAYMENT_COLUMNS} FROM payment
    JOIN (SELECT payment_id, body_hash FROM idempotency_key WHERE organisation_identifier = $1 AND key = $2) AS kept
      USING (payment_id)`,
};

function asEntered(row: PaymentRow): EnteredPayment {
  return entered(readTerms(row), row.earlier_sign_ids[0] ?? row.sign_id);
}

function entered(terms: PaymentTerms, signId: Entry["signId"]): EnteredPayment {
  return { ...terms, state: "entered", signId, earlierSignIds: [], signing: { state: "open" } };
}

/** One statement: payment and record; undefined when the instruction identification is taken. */
async function addPayment(
  queries: Queries,
  { terms, entry: { signId }, by }: NewEntry,
): Promise<EntryOutcome | undefined> {
  const content = writeStoredOrder(terms.order);
  const { move, by: moved_by, facts } = describeEntry({ ...terms, content });
  const record = [by.now, move, moved_by, JSON.stringify(facts), by.requestId];
  const values = [...valuesOf(terms, content), signId, ...record];
  const added = await queries.run({ ...ADD, values });
  return added.length === 1 ? { result: "entered", payment: entered(terms, signId) } : undefined;
}

function valuesOf(terms: PaymentTerms, content: string): readonly unknown[] {
  const { id, organisationIdentifier, applicationId, psu, consentId, account, order, fee } = terms;
  const { executionDate, changed, orderText, digest, createdAt, expiresAt } = terms;
  const who = [organisationIdentifier, applicationId, psu, consentId, account];
  const what = [order.instructionIdentification, content, fee && writeStoredAmount(fee)];
  return [id, ...who, ...what, executionDate, changed, orderText, digest, createdAt, expiresAt];
}

const ADD = {
  name: "payment-add",
  text: `WITH added AS (
      INSERT INTO payment (payment_id, organisation_identifier, application_id, psu_id, consent_id, account_id,
        instruction_identification, order_content, fee, execution_date, is_changed, order_text, digest, created_at,
        expires_at, sign_id, earlier_sign_ids, state, signing_state, moves, moved_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, '{}', 'entered', 'open', 1, $17)
      ON CONFLICT (organisation_identifier, instruction_identification) DO NOTHING
      RETURNING payment_id
    )
    INSERT INTO payment_move (payment_id, number, move, moved_at, moved_by, facts, request_id, state_after)
    SELECT payment_id, 1, $18, $17, $19, $20, $21, 'entered' FROM added RETURNING payment_id`,
};

async function findDuplicate(
  queries: Queries,
  { organisationIdentifier, order }: PaymentTerms,
): Promise<EntryOutcome> {
  const values = [organisationIdentifier, order.instructionIdentification];
  const [row] = await queries.run<{ payment_id: PaymentId }>({ ...FIND_INSTRUCTION, values });
  if (row === undefined) throw new Error("a payment was forgotten while the same was entered");
  return { result: "duplicate", paymentId: row.payment_id };
}

const FIND_INSTRUCTION = {
  name: "payment-find-instruction",
  text: "SELECT payment_id FROM payment WHERE organisation_identifier = $1 AND instruction_identification = $2",
};
