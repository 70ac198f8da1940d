import { type Database, gather, type Queries } from "@cobs/service-edge";
import { addPayments, enteredPayment, type NewEntry } from "./add-payments-postgres.ts";
import type { EnteredPayment, PaymentTerms } from "./payment.ts";
import type { PaymentId } from "./payment-ids.ts";
import { PAYMENT_COLUMNS, type PaymentRow, readTerms } from "./payment-row.ts";
import type { Enterer, EntryOutcome, IdempotencyKey, KnownEntry } from "./payment-store.ts";

/** How long a key gives the payment that it entered. */
export const KEY_LIFETIME_MILLISECONDS = 24 * 60 * 60_000;

interface KeyRow {
  readonly body_hash: Buffer;
  readonly payment_id: PaymentId;
}

/** Rolls back the transaction that has taken an idempotency key, which frees the key. */
class DuplicateInstruction extends Error {
  override readonly name = "DuplicateInstruction";
}

/** Enters payments as the store's contract says; payments without a key that come at the same moment are entered together. */
export function enterPaymentsIn(database: Database): (entered: NewEntry) => Promise<EntryOutcome> {
  const add = gather((all: readonly NewEntry[]) => addPayments(database, all));
  const enter = async (entered: NewEntry): Promise<EntryOutcome> => {
    const { idempotency } = entered.entry;
    const added = await (idempotency === undefined
      ? add(entered)
      : addUnderKey(database, entered, idempotency));
    // The duplicate may have been deleted since.
    return added ?? (await findDuplicate(database, entered.terms)) ?? enter(entered);
  };
  return enter;
}

/** Enters a payment under its key; undefined when the instruction identification is taken. */
async function addUnderKey(
  database: Database,
  entered: NewEntry,
  idempotency: IdempotencyKey,
): Promise<EntryOutcome | undefined> {
  try {
    return await database.transaction(
      (queries) => enterUnderKey(queries, entered, idempotency),
      `idempotency key ${idempotency.key} ${entered.terms.organisationIdentifier}`,
    );
  } catch (error) {
    if (error instanceof DuplicateInstruction) return undefined;
    throw error;
  }
}

/** Takes the key first: a caller with the same key waits here, and sees the payment afterwards. */
async function enterUnderKey(
  queries: Queries,
  entered: NewEntry,
  idempotency: IdempotencyKey,
): Promise<EntryOutcome> {
  if (!(await takeKey(queries, entered, idempotency))) {
    const known = await findEntered(queries, { of: entered.terms, idempotency, now: entered.act.now });
    if (known !== undefined) return known;
    // The database's clock is ahead of this one: the key still lives, but its payment was forgotten.
    await takeKey(queries, entered, idempotency, "infinity");
  }
  const [added] = await addPayments(queries, [entered]);
  if (added === undefined) throw new DuplicateInstruction();
  return added;
}

async function takeKey(
  queries: Queries,
  { terms, act }: NewEntry,
  { key, bodyHash }: IdempotencyKey,
  since: Date | "infinity" = lifeBegin(act.now),
): Promise<boolean> {
  const values = [terms.organisationIdentifier, key, bodyHash, terms.id, act.now, since];
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

/** The time before which keys have expired. */
function lifeBegin(now: Date): Date {
  return new Date(now.getTime() - KEY_LIFETIME_MILLISECONDS);
}

/** Finds what the key has entered, as the store's contract says; undefined when it has entered nothing. */
export async function findEntered(
  queries: Queries,
  {
    of,
    idempotency,
    now,
  }: { readonly of: Enterer; readonly idempotency: IdempotencyKey; readonly now: Date },
): Promise<KnownEntry | undefined> {
  const values = [of.organisationIdentifier, idempotency.key, lifeBegin(now)];
  const [row] = await queries.run<KeyRow & PaymentRow>({ ...FIND_KEY, values });
  if (row === undefined) return undefined;
  const isSame =
    row.body_hash.equals(idempotency.bodyHash) &&
    row.psu_id === of.psu &&
    row.application_id === of.applicationId;
  return isSame ? { result: "replayed", payment: asEntered(row) } : { result: "key_reused" };
}

const FIND_KEY = {
  name: "payment-find-key",
  text: `SELECT body_hash, ${PAYMENT_COLUMNS} FROM payment
    JOIN (SELECT payment_id, body_hash FROM idempotency_key WHERE organisation_identifier = $1 AND key = $2
        AND created_at > $3) AS kept
      USING (payment_id)`,
};

function asEntered(row: PaymentRow): EnteredPayment {
  return enteredPayment(readTerms(row), row.earlier_sign_ids[0] ?? row.sign_id);
}

async function findDuplicate(
  queries: Queries,
  { organisationIdentifier, order }: PaymentTerms,
): Promise<EntryOutcome | undefined> {
  const paymentId = await findInstruction(queries, organisationIdentifier, order.instructionIdentification);
  return paymentId && { result: "duplicate", paymentId };
}

/** Finds the payment of a TPP's instruction identification. */
export async function findInstruction(
  queries: Queries,
  organisationIdentifier: string,
  instruction: string,
): Promise<PaymentId | undefined> {
  const values = [organisationIdentifier, instruction];
  const [row] = await queries.run<{ payment_id: PaymentId }>({ ...FIND_INSTRUCTION, values });
  return row?.payment_id;
}

const FIND_INSTRUCTION = {
  name: "payment-find-instruction",
  text: "SELECT payment_id FROM payment WHERE organisation_identifier = $1 AND instruction_identification = $2",
};
