import type { AccountId, PaymentOrder } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import fc from "fast-check";
import { openSandboxBank } from "../../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { settleOrder } from "../../../../packages/resource/src/bank/sandbox-orders/settle-orders-postgres.ts";
import { openMigratedDatabase } from "../migrated-database.ts";
import { approved, CZK, EUR, type OrderScene, orderOf, setOrderScene, toIban, USD } from "./order-bank.ts";

const RUNS = 25;

/** One order, and what is done with it how often. */
const ORDER = fc.record({
  minor: fc.bigInt({ min: 1n, max: 700_000n }),
  currency: fc.constantFrom(CZK, EUR, USD),
  from: fc.constantFrom(undefined, CZK, EUR),
  to: fc.constantFrom("elsewhere", "payee", "payeeInEuro", "closed"),
  priority: fc.constantFrom("NORM", "HIGH", "INST"),
  charged: fc.boolean(),
  handedOver: fc.integer({ min: 1, max: 3 }),
  settled: fc.integer({ min: 0, max: 3 }),
});

type WantedOrder = typeof ORDER extends fc.Arbitrary<infer Value> ? Value : never;

describe("the ledger after any set of orders at the same moment", () => {
  let database: Database;

  before(async () => {
    database = await openMigratedDatabase();
  });
  after(() => database.close());

  const rows = <Row>(text: string, values: readonly unknown[] = []) =>
    database.run<Row>({ name: "", text, values });

  it("adds up to zero, stays within every limit, and holds each order once or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ORDER, { minLength: 1, maxLength: 12 }), async (wanted) => {
        const scene = await setOrderScene(database);
        const paymentIds = await Promise.all(wanted.map((each) => carryOut(scene, each)));
        await requireBalanced();
        await requireWithinLimits(scene.payer.id);
        for (const paymentId of paymentIds) await requireOneLife(paymentId);
      }),
      { numRuns: RUNS },
    );
  }).timeout(100_000);

  async function carryOut(scene: OrderScene, wanted: WantedOrder): Promise<string> {
    const bank = openSandboxBank(database, 0);
    const fee = wanted.charged ? { minor: 10_000n, currency: CZK } : undefined;
    const order = approved(scene, orderIn(scene, wanted), { fee });
    await Promise.all(Array.from({ length: wanted.handedOver }, () => bank.acceptOrder(order)));
    await Promise.all(Array.from({ length: wanted.settled }, () => settleOrder(database, order.paymentId)));
    return order.paymentId;
  }

  function orderIn(scene: OrderScene, { minor, currency, from, to, priority }: WantedOrder): PaymentOrder {
    return orderOf(scene, {
      priority,
      amount: { minor, currency },
      debtorAccount: { iban: scene.payer.iban, currency: from },
      ...(to !== "elsewhere" && toIban(scene[to].iban)),
    });
  }

  async function requireBalanced(): Promise<void> {
    const sums = await rows(`SELECT currency, sum(amount)::text AS sum FROM sandbox_entry GROUP BY 1
      HAVING sum(amount) <> 0`);
    expect(sums).to.deep.equal([]);
    const wrong = await rows(`SELECT account_id FROM sandbox_ledger AS ledger WHERE balance <>
      (SELECT coalesce(sum(amount), 0) FROM sandbox_entry AS entry WHERE entry.account_id = ledger.account_id)`);
    expect(wrong).to.deep.equal([]);
  }

  async function requireWithinLimits(account: AccountId): Promise<void> {
    const below = await rows(
      `SELECT account_id FROM sandbox_ledger AS ledger
      WHERE account_id = ANY ($1) AND balance + overdraft_limit + (SELECT coalesce(sum(amount), 0)
        FROM sandbox_pending AS pending WHERE pending.ledger_id = ledger.account_id) < 0`,
      [[account, `${account}-EUR`]],
    );
    expect(below).to.deep.equal([]);
  }

  /** Accepted is blocked and not booked, completed is booked and not blocked, rejected is neither. */
  async function requireOneLife(paymentId: string): Promise<void> {
    const [life] = await rows<{ state: string; blocked: bigint; debited: bigint }>(
      `SELECT state,
        (SELECT count(*) FROM sandbox_pending WHERE pending_id = payment_id) AS blocked,
        (SELECT count(*) FROM sandbox_entry WHERE booking_id = payment_id AND amount < 0
          AND account_id NOT LIKE 'bank-%') AS debited
      FROM sandbox_order WHERE payment_id = $1`,
      [paymentId],
    );
    const wanted = { accepted: [1n, 0n], completed: [0n, 1n], rejected: [0n, 0n] }[life?.state ?? ""];
    expect([life?.blocked, life?.debited], life?.state).to.deep.equal(wanted);
  }
});
