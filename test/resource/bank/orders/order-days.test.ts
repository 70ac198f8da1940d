import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { Bank } from "../../../../packages/resource/src/bank/bank.ts";
import { openSandboxBank } from "../../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import {
  findDueOrders,
  settleOrder,
} from "../../../../packages/resource/src/bank/sandbox-orders/settle-orders-postgres.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../../../support/movable-database-clock.ts";
import { openMigratedDatabase } from "../migrated-database.ts";
import {
  approved,
  CZK,
  type OrderScene,
  orderOf,
  PAYEE,
  PAYER,
  setOrderScene,
  toIban,
} from "./order-bank.ts";

/** Half past midnight in Prague, when it is still the day before in UTC. */
const NIGHT = new Date("2027-01-14T23:30:00Z");
const [BEFORE, THAT_DAY, NEXT] = ["2027-01-14", "2027-01-15", "2027-01-16"];
const NEXT_BEGINS = new Date("2027-01-15T23:00:00Z");

describe("orders in the sandbox bank, whose days begin at midnight in Prague", () => {
  let clock: DatabaseWithMovableClock;
  let database: Database;
  let bank: Bank;
  let scene: OrderScene;

  before(async () => {
    clock = await createDatabaseWithMovableClock();
    database = await openMigratedDatabase(clock.url);
    bank = openSandboxBank(database, 0);
  });
  beforeEach(async () => {
    await clock.setTo(NIGHT);
    scene = await setOrderScene(database);
  });
  after(() => database.close());

  async function accept(executionDate: string, priority: "NORM" | "INST"): Promise<string> {
    const order = orderOf(scene, { ...toIban(scene.payee.iban), priority });
    const taken = approved(scene, order, { executionDate });
    expect(await bank.acceptOrder(taken)).to.deep.equal({ outcome: "accepted" });
    return taken.paymentId;
  }

  /** Of the payer's side first, and then of the payee's. */
  async function told(): Promise<readonly (readonly string[])[]> {
    const [from, page] = [new Date("2026-02-01T00:00:00Z"), { page: 0, size: 10 }];
    const wanted = { currency: CZK, from, before: undefined, sort: [], page };
    const sides = [
      await bank.listTransactions({ psu: PAYER, account: scene.payer.id, ...wanted }),
      await bank.listTransactions({ psu: PAYEE, account: scene.payee.id, ...wanted }),
    ];
    return sides.map(({ entries }) => entries.map(({ status, valueDate }) => `${status} ${valueDate}`));
  }

  it("for the day before get no value date before their booking (PSD2 Article 87(3))", async () => {
    const paymentId = await accept(BEFORE, "NORM");
    await settleOrder(database, paymentId);
    expect(await told()).to.deep.equal([[`BOOK ${THAT_DAY}`], [`BOOK ${THAT_DAY}`]]);
  });

  for (const priority of ["NORM", "INST"] as const)
    it(`for the next day are not booked before it begins: ${priority}`, async () => {
      const paymentId = await accept(NEXT, priority);
      await clock.setTo(new Date(NEXT_BEGINS.getTime() - 60_000));
      expect(await findDueOrders(database, 100)).to.not.include(paymentId);
      await settleOrder(database, paymentId);
      expect(await told()).to.deep.equal([[`PDNG ${NEXT}`], []]);
      await clock.setTo(NEXT_BEGINS);
      expect(await findDueOrders(database, 100)).to.include(paymentId);
      await settleOrder(database, paymentId);
      expect(await told()).to.deep.equal([[`BOOK ${NEXT}`], [`BOOK ${NEXT}`]]);
      expect(await findDueOrders(database, 100)).to.not.include(paymentId);
    });
});
