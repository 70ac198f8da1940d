import type { PaymentOrder } from "@cobs/cobs-model";
import { type Database, isDatabaseUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { settleOrder } from "../../../packages/resource/src/bank/sandbox-orders/settle-orders-postgres.ts";
import { createPaymentId, createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import { createPaymentStore } from "../../../packages/resource/src/payments/payment-store-postgres.ts";
import { breakAfter } from "../../support/breaking-database.ts";
import { eventually } from "../../support/eventually.ts";
import { openMigratedDatabase } from "../bank/migrated-database.ts";
import { CZK, type OrderScene, orderOf, PAYER, setOrderScene } from "../bank/orders/order-bank.ts";
import { approvalNamed, digestOf, requestNamed, sampleTerms } from "../payments/sample-payments.ts";
import { aheadClock, executeDuePayments, executingProcess, letPausesPass } from "./executing-scene.ts";

const MOST_ROUNDS = 8;
/** Of which a payment takes more from its entry to its booking. */
const FEW_STATEMENTS = 40;

describe("a payment whose database connection breaks at any statement", () => {
  let database: Database;
  let scene: OrderScene;
  let orders = 0;
  before(async () => {
    database = await openMigratedDatabase();
    scene = await setOrderScene(database);
  });
  after(() => database.close());

  const nextOrder = (): PaymentOrder => {
    orders += 1;
    const amount = { minor: BigInt(orders), currency: CZK };
    return orderOf(scene, { amount, instructionIdentification: `broken-${orders}` });
  };

  /** Whoever wants something of a server that is away asks again, with the same. */
  async function untilDone<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return untilDone(act);
    }
  }

  /** Enters an order under an idempotency key, and has it approved, executed and booked; gives the id that the TPP was told. */
  async function pay(breaking: Database, order: PaymentOrder): Promise<string> {
    const store = createPaymentStore(breaking);
    const now = new Date();
    const by = { now, requestId: undefined };
    const idempotency = { key: order.instructionIdentification, bodyHash: digestOf("body") };
    const entered = await untilDone(() => {
      const terms = { id: createPaymentId(), psu: PAYER, account: scene.payer.id, order, createdAt: now };
      const dates = { expiresAt: new Date(now.getTime() + 600_000), executionDate: "2026-03-02" };
      return store.enter(sampleTerms({ ...terms, ...dates }), { signId: createSignId(), idempotency }, by);
    });
    if (!("payment" in entered)) throw new TypeError(`the entry is ${entered.result}`);
    const { id, organisationIdentifier, signId, digest } = entered.payment;
    const requestId = requestNamed(`R-${id}`);
    await untilDone(() => store.attachRequest({ id, organisationIdentifier }, { signId, requestId }, by));
    const approval = { id: approvalNamed(`A-${id}`), requestId, digest, methods: ["totp"], approvedAt: now };
    await untilDone(() => store.takeApproval(approval, by));
    const clock = aheadClock();
    const { parts } = executingProcess(breaking, { bank: openSandboxBank(breaking, 0), clock });
    for (let round = 0; round < MOST_ROUNDS && (await stateOf(id)) !== "completed"; round += 1) {
      await untilDone(() => executeDuePayments(parts));
      await brokenOff();
      await untilDone(() => settleOrder(breaking, id));
      await brokenOff();
      await letPausesPass(database);
    }
    return id;
  }

  const rows = <Row>(text: string, values: readonly unknown[]) =>
    database.run<Row>({ name: "", text, values });

  /** A server sees some time later that a connection has broken: what its transaction locked is passed over until then. */
  const brokenOff = () =>
    eventually(async () => {
      const text = `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`;
      return (await rows(text, [])).length === 0;
    });
  const stateOf = async (id: string) =>
    (await rows<{ state: string }>("SELECT state FROM payment WHERE payment_id = $1", [id]))[0]?.state;

  /** What is kept of an order: its payments, what their records say, and the amounts that were debited for them. */
  async function keptOf({ instructionIdentification }: PaymentOrder) {
    const text = `SELECT payment_id AS id, state, moves::int = (SELECT count(*) FROM payment_move AS move
          WHERE move.payment_id = payment.payment_id) AS is_recorded,
        (SELECT count(*)::int FROM payment_move AS move
          WHERE move.payment_id = payment.payment_id AND move IN ('enter', 'approve', 'complete')) AS decisions,
        ARRAY(SELECT amount::int FROM sandbox_entry WHERE booking_id = payment_id AND account_id = $2) AS debits,
        (SELECT count(*)::int FROM payment_outbox AS place WHERE place.payment_id = payment.payment_id) AS places
      FROM payment WHERE instruction_identification = $1`;
    return rows<object>(text, [instructionIdentification, scene.payer.id]);
  }

  it("is entered, approved, executed and booked once, as its TPP is told (PAY-01)", async () => {
    let place = 0;
    for (let isOver = false; !isOver; place += 1) {
      const breaking = breakAfter(database, place);
      const order = nextOrder();
      const id = await pay(breaking.database, order);
      const debits = [-Number(order.amount.minor)];
      const kept = { id, state: "completed", is_recorded: true, decisions: 3, debits, places: 0 };
      expect(await keptOf(order), `broken at ${place}`).to.deep.equal([kept]);
      isOver = !breaking.isBroken();
    }
    expect(place).to.be.greaterThan(FEW_STATEMENTS);
    const blocked = "SELECT FROM sandbox_pending WHERE ledger_id = $1";
    expect(await rows(blocked, [scene.payer.id])).to.deep.equal([]);
  }).timeout(400_000);
});
