import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { OrderBank } from "../../../../packages/resource/src/bank/orders.ts";
import { openSandboxBank } from "../../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { EXCHANGED_CURRENCIES } from "../../../../packages/resource/src/bank/sandbox-orders/exchange-rates.ts";
import { settleOrder } from "../../../../packages/resource/src/bank/sandbox-orders/settle-orders-postgres.ts";
import { openMigratedDatabase } from "../migrated-database.ts";
import { approved, CZK, EUR, type OrderScene, orderOf, PAYER, setOrderScene, toIban } from "./order-bank.ts";

/** The largest amount, 999999999999999.99 (COBS 3.2.4.1). */
const LARGEST = 99_999_999_999_999_999n;
const ACCOUNT_CURRENCIES = [CZK, EUR];

describe("orders of the largest and the smallest amounts, in every currency, to every kind of payee", () => {
  let database: Database;
  let bank: OrderBank;
  let scene: OrderScene;

  before(async () => {
    database = await openMigratedDatabase();
    bank = openSandboxBank(database, 0);
    scene = await setOrderScene(database);
  });
  after(() => database.close());

  const rows = (text: string) => database.run({ name: "", text, values: [] });

  function ordersOf(minor: bigint) {
    return EXCHANGED_CURRENCIES.flatMap((currency) =>
      ACCOUNT_CURRENCIES.flatMap((account) =>
        [{}, toIban(scene.payee.iban)].map((to) => {
          const debtorAccount = { iban: scene.payer.iban, currency: account };
          const fee = { minor: minor > LARGEST / 2n ? LARGEST : 1n, currency: account };
          return approved(scene, orderOf(scene, { amount: { minor, currency }, debtorAccount, ...to }), {
            fee,
          });
        }),
      ),
    );
  }

  it("are rejected for lack of funds at the largest amount, and block nothing", async () => {
    for (const order of ordersOf(LARGEST)) {
      const outcome = await bank.acceptOrder(order);
      expect(outcome).to.deep.equal({ outcome: "rejected", reason: "funds_insufficient" });
      const { amount } = order.order;
      const { id, iban } = scene.payer;
      const question = { psu: PAYER, accounts: [id], iban, currency: undefined, amount };
      expect(await bank.hasFunds(question)).to.deep.equal({ known: true, account: id, enough: false });
    }
    expect(await rows("SELECT FROM sandbox_pending")).to.deep.equal([]);
  });

  it("debit at least a hundredth at the smallest amount, and keep each currency's total", async () => {
    for (const order of ordersOf(1n)) {
      expect(await bank.acceptOrder(order)).to.deep.equal({ outcome: "accepted" });
      await settleOrder(database, order.paymentId);
      expect(await bank.progressOf(order.paymentId)).to.include({ state: "completed" });
    }
    expect(await rows("SELECT FROM sandbox_entry WHERE amount = 0")).to.deep.equal([]);
    expect(
      await rows("SELECT currency FROM sandbox_ledger GROUP BY currency HAVING sum(balance) <> 0"),
    ).to.deep.equal([]);
    expect(await rows("SELECT FROM sandbox_pending")).to.deep.equal([]);
  });
});
