import { randomUUID } from "node:crypto";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { type Database, openDatabase, Secret } from "@cobs/service-edge";
import type { OverdueCursor } from "../../packages/resource/src/payments/overdue-payments.ts";
import type { PaymentTerms } from "../../packages/resource/src/payments/payment.ts";
import { createSignId, type SigningRequestId } from "../../packages/resource/src/payments/payment-ids.ts";
import type {
  Lease,
  OwnedPayment,
  PaymentAct,
  PaymentStore,
} from "../../packages/resource/src/payments/payment-store.ts";
import { createPaymentStore } from "../../packages/resource/src/payments/payment-store-postgres.ts";
import { approvalOf, by, later, requestNamed, sampleTerms } from "../resource/payments/sample-payments.ts";
import { readableLog } from "../support/readable-log.ts";
import { createMigratedTestDatabase, PATIENT } from "../support/test-databases.ts";

/** A store in two processes on one database, with the acts of tests on many payments. */
export interface PaymentProcesses {
  readonly one: PaymentStore;
  readonly other: PaymentStore;
  readonly database: Database;
  /** Fifty concurrent callers, alternating between the processes. */
  fifty<T>(act: (store: PaymentStore, place: number) => Promise<T>): Promise<readonly T[]>;
  /** Enters a payment. */
  enter(changed?: Partial<PaymentTerms>): Promise<Entered>;
  /** Enters a payment and asks auth about it. */
  ask(changed?: Partial<PaymentTerms>): Promise<Asked>;
  /** Enters a payment that its PSU has approved. */
  approve(changed?: Partial<PaymentTerms>): Promise<Asked>;
  /** Leases the one payment that is due for a step, after so many more minutes. */
  lease(terms: PaymentTerms, step: "hand_over" | "settle", minutes?: number): Promise<Lease>;
  /** Lets so many minutes pass for the places before the bank and for look-ups at auth, which go by the database's clock. */
  wait(minutes: number): Promise<void>;
  /** Names of the moves in a payment's record. */
  movesOf(terms: PaymentTerms): Promise<readonly string[]>;
  /** Number of payments with this id that wait for the bank. */
  outboxOf(terms: PaymentTerms): Promise<number>;
  /** Changes a row in a way that nobody should. */
  tamper(terms: PaymentTerms, set: string): Promise<void>;
  /** Deletes what has ended, except idempotency keys. */
  forgetFinished(): Promise<void>;
  /** Deletes all payments, so that no earlier one is due for anything. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

interface Entered {
  readonly terms: PaymentTerms;
  readonly owned: OwnedPayment;
  readonly signId: ReturnType<typeof createSignId>;
}
interface Asked extends Entered {
  readonly requestId: SigningRequestId;
}

/** The payment with its owners, as they name it. */
export function ownedOf({ id, organisationIdentifier, psu }: PaymentTerms): OwnedPayment {
  return { id, organisationIdentifier, psu };
}

/**
 * Ends the expired payments about which auth was never asked, as if auth had none of them; `last` is the cursor after which to
 * continue.
 */
export async function expireOverdue(
  store: PaymentStore,
  limit: number,
  by: PaymentAct,
  after?: OverdueCursor,
) {
  const { overdue, last } = await store.findOverdue({ signing: "open", limit, after }, by);
  return { ...(await store.expireUnsigned(overdue, by)), last };
}

/** Opens two processes on a new database. */
export async function openPaymentProcesses(): Promise<PaymentProcesses> {
  const { log } = readableLog();
  const url = new Secret(await createMigratedTestDatabase(MIGRATIONS_DIRECTORY));
  const open = () =>
    openDatabase({ url, maxConnections: 8, applicationName: "contract", log, timeLimits: PATIENT });
  const databases = [open(), open()] as const;
  const [one, other] = [createPaymentStore(databases[0]), createPaymentStore(databases[1])];
  const [database] = databases;

  const enter = async (changed: Partial<PaymentTerms> = {}) => {
    const [terms, signId] = [sampleTerms(changed), createSignId()];
    const { result } = await one.enter(terms, { signId, idempotency: undefined }, by());
    if (result !== "entered") throw new TypeError(`a sample payment is ${result}`);
    return { terms, owned: ownedOf(terms), signId };
  };
  const ask = async (changed: Partial<PaymentTerms> = {}) => {
    const entered = await enter(changed);
    const requestId = requestNamed(`R-${entered.terms.id}`);
    const { signId } = entered;
    const { result } = await one.attachRequest(entered.owned, { signId, requestId }, by());
    if (result !== "done") throw new TypeError(`asking for a sample payment is ${result}`);
    return { ...entered, requestId };
  };
  const approve = async (changed: Partial<PaymentTerms> = {}) => {
    const asked = await ask(changed);
    const { result } = await one.takeApproval(approvalOf(asked.terms.digest, asked.requestId), by());
    if (result !== "taken") throw new TypeError(`the approval of a sample payment is ${result}`);
    return asked;
  };
  const wait = async (minutes: number) => {
    for (const [table, column] of [
      ["payment_outbox", "due_at"],
      ["payment", "look_up_at"],
    ]) {
      const text = `UPDATE ${table} SET ${column} = ${column} - $1::float8 * interval '1 minute'`;
      await database.run({ name: `wait-${table}`, text, values: [minutes] });
    }
  };
  return {
    one,
    other,
    database,
    fifty: (act) =>
      Promise.all(Array.from({ length: 50 }, (_, place) => act(place % 2 ? one : other, place))),
    enter,
    ask,
    approve,
    wait,
    async lease({ id }, step, minutes = 0) {
      await wait(minutes);
      const input = { limit: 1_000, leaseMilliseconds: 60_000 };
      const due = step === "hand_over" ? one.dueForHandOver : one.dueForSettlement;
      const lease = (await due(input)).find(({ paymentId }) => paymentId === id);
      if (lease === undefined) throw new TypeError("nothing is due of this payment");
      return lease;
    },
    movesOf: async ({ id }) => (await other.movesOf(id)).map(({ move }) => move),
    async outboxOf({ id }) {
      const text = "SELECT FROM payment_outbox WHERE payment_id = $1";
      return (await database.run({ name: "outbox-of", text, values: [id] })).length;
    },
    async tamper({ id }, set) {
      const text = `UPDATE payment SET ${set} WHERE payment_id = $1`;
      await database.run({ name: randomUUID(), text, values: [id] });
    },
    async forgetFinished() {
      const finishedMilliseconds = Date.now() - later(1).getTime();
      await one.forgetOld({ finishedMilliseconds, keysMilliseconds: Date.now(), limit: 1_000 });
    },
    async empty() {
      const text = "TRUNCATE payment, payment_move, payment_outbox, idempotency_key";
      await database.run({ name: "empty", text, values: [] });
    },
    async close() {
      await Promise.all(databases.map((each) => each.close()));
    },
  };
}
