import type { Iban, PaymentOrder } from "@cobs/cobs-model";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { Bank } from "../../../../packages/resource/src/bank/bank.ts";
import type { FundsQuestion } from "../../../../packages/resource/src/bank/orders.ts";
import { openSandboxBank } from "../../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { openMigratedDatabase } from "../migrated-database.ts";
import {
  approved,
  CZK,
  ELSEWHERE,
  EUR,
  JPY,
  type OrderScene,
  orderOf,
  PAYEE,
  PAYER,
  setOrderScene,
  toIban,
  USD,
} from "./order-bank.ts";

describe("the sandbox bank's inspection of an order before it is entered (COBS 3.2.4)", () => {
  let database: Database;
  let bank: Bank;
  let scene: OrderScene;

  before(async () => {
    database = await openMigratedDatabase();
    bank = openSandboxBank(database);
    scene = await setOrderScene(database);
  });
  after(() => database.close());

  const inspect = (order: PaymentOrder, psu = PAYER, accounts = [scene.payer.id]) =>
    bank.inspectOrder({ psu, accounts, order });
  const faultsOf = async (...wanted: Parameters<typeof inspect>) =>
    (await inspect(...wanted)).faults.map(({ code, path }) => `${code} ${path}`);
  const paidFrom = (payer: OrderScene["payer"], currency?: typeof CZK) => ({
    debtorAccount: { iban: payer.iban, currency },
  });

  it("names the paying account, and finds no fault in a good order", async () => {
    expect(await inspect(orderOf(scene))).to.deep.equal({
      account: scene.payer.id,
      fee: undefined,
      faults: [],
    });
  });

  it("blocks nothing", async () => {
    await inspect(orderOf(scene));
    const [available] = await bank.balancesOf({ psu: PAYER, account: scene.payer.id, currency: CZK });
    expect(available?.amount.minor).to.equal(1_050_000n);
  });

  it("gives the charge in the currency of the paying account", async () => {
    const order = orderOf(scene, { priority: "HIGH" });
    expect((await inspect(order)).fee).to.deep.equal({ minor: 10_000n, currency: CZK });
    const inEuro = { ...order, ...paidFrom(scene.payer, EUR) };
    expect((await inspect(inEuro)).fee).to.deep.equal({ minor: 398n, currency: EUR });
  });

  it("refuses an account of somebody else, a closed, an unknown or an uncovered one alike (AC02)", async () => {
    const wanted = ["AC02 debtorAccount.identification.iban"];
    expect(await faultsOf(orderOf(scene), PAYEE)).to.deep.equal(wanted);
    expect(await faultsOf(orderOf(scene), PAYER, [])).to.deep.equal(wanted);
    expect(await faultsOf(orderOf({ payer: scene.closed }), PAYER, [scene.closed.id])).to.deep.equal(wanted);
    const none = orderOf(scene, { debtorAccount: { iban: ELSEWHERE, currency: undefined } });
    expect(await faultsOf(none)).to.deep.equal(wanted);
    const messages = [await inspect(none), await inspect(orderOf(scene), PAYEE)].map(({ faults }) => faults);
    expect(messages[0]).to.deep.equal(messages[1]);
  });

  it("accepts every account of the PSU where the consent names none", async () => {
    const { account } = await bank.inspectOrder({ psu: PAYER, accounts: undefined, order: orderOf(scene) });
    expect(account).to.equal(scene.payer.id);
  });

  it("refuses an account that is not for payments (AC12)", async () => {
    const order = orderOf({ payer: scene.savings });
    expect(await faultsOf(order, PAYER, [scene.savings.id])).to.deep.equal([
      "AC12 debtorAccount.identification.iban",
    ]);
  });

  it("refuses a currency in which the account is not kept (AC10)", async () => {
    expect(await faultsOf(orderOf(scene, paidFrom(scene.payer, USD)))).to.deep.equal([
      "AC10 debtorAccount.currency",
    ]);
  });

  it("refuses a currency that the bank does not exchange (AM11)", async () => {
    const order = orderOf(scene, { amount: { minor: 100n, currency: JPY } });
    expect(await faultsOf(order)).to.deep.equal(["AM11 amount.instructedAmount.currency"]);
  });

  it("refuses a payee in the bank that is closed or not kept in the order's currency (AC03)", async () => {
    const wanted = ["AC03 creditorAccount.identification.iban"];
    expect(await faultsOf(orderOf(scene, toIban(scene.closed.iban)))).to.deep.equal(wanted);
    const toldOf = async (iban: Iban) => (await inspect(orderOf(scene, toIban(iban, EUR)))).faults;
    const inOtherCurrency = await toldOf(scene.payee.iban);
    expect(inOtherCurrency.map(({ code, path }) => `${code} ${path}`)).to.deep.equal(wanted);
    expect(await toldOf(scene.closed.iban)).to.deep.equal(inOtherCurrency);
    expect(await faultsOf(orderOf(scene, toIban(scene.payeeInEuro.iban)))).to.deep.equal([]);
  });

  it("reports every fault of an order at once", async () => {
    const order = orderOf(
      { payer: scene.savings },
      { ...toIban(scene.closed.iban), ...paidFrom(scene.savings, USD) },
    );
    expect(await faultsOf(order, PAYER, [scene.savings.id])).to.deep.equal([
      "AC12 debtorAccount.identification.iban",
      "AC10 debtorAccount.currency",
      "AC03 creditorAccount.identification.iban",
    ]);
  });

  describe("and its check of funds (COBS 3.2.3, 3.3.3)", () => {
    const ask = (changed: Partial<FundsQuestion> = {}) =>
      bank.hasFunds({
        psu: PAYER,
        accounts: [scene.payer, scene.closed, scene.savings].map(({ id }) => id),
        iban: scene.payer.iban,
        currency: undefined,
        amount: { minor: 1n, currency: CZK },
        ...changed,
      });
    const faultOf = async (changed: Partial<FundsQuestion>) => {
      const answer = await ask(changed);
      return answer.known ? answer : answer.fault.code;
    };

    it("confirms funds up to the last haléř of the overdraft, and not beyond", async () => {
      const enough = { known: true, account: scene.payer.id, enough: true };
      expect(await ask({ amount: { minor: 1_050_000n, currency: CZK } })).to.deep.equal(enough);
      const beyond = { minor: 1_050_001n, currency: CZK };
      expect(await ask({ amount: beyond })).to.deep.equal({ ...enough, enough: false });
    });

    it("uses the balance in the amount's currency first, and exchanges where there is none or another is named", async () => {
      const [most, more] = [100_000n, 100_001n].map((minor) => ({ minor, currency: EUR }));
      expect(await ask({ amount: most ?? beyondAll })).to.include({ enough: true });
      expect(await ask({ amount: more ?? beyondAll })).to.include({ enough: false });
      expect(await ask({ amount: { minor: 10_000n, currency: USD } })).to.include({ enough: true });
      expect(await ask({ amount: { minor: 100_000n, currency: USD } })).to.include({ enough: false });
      expect(await ask({ currency: CZK, amount: { minor: 41_800n, currency: EUR } })).to.include({
        enough: true,
      });
      expect(await ask({ currency: CZK, amount: { minor: 41_900n, currency: EUR } })).to.include({
        enough: false,
      });
    });

    it("counts a blocked amount as spent", async () => {
      scene = await setOrderScene(database);
      await bank.acceptOrder(approved(scene, orderOf(scene)));
      expect(await ask({ amount: { minor: 950_001n, currency: CZK } })).to.include({ enough: false });
      expect(await ask({ amount: { minor: 950_000n, currency: CZK } })).to.include({ enough: true });
    });

    it("ignores amounts blocked on another account", async () => {
      const another = await setOrderScene(database);
      scene = await setOrderScene(database);
      await bank.acceptOrder(approved(another, orderOf(another)));
      expect(await ask({ amount: { minor: 1_050_000n, currency: CZK } })).to.include({ enough: true });
    });

    it("refuses an account or currency that it cannot check: AC02, AC09, AC12 and AM11", async () => {
      expect(await faultOf({ psu: PAYEE })).to.equal("AC02");
      expect(await faultOf({ accounts: [scene.savings.id] })).to.equal("AC02");
      expect(await faultOf({ iban: scene.closed.iban })).to.equal("AC02");
      expect(await faultOf({ iban: ELSEWHERE })).to.equal("AC02");
      expect(await faultOf({ currency: USD })).to.equal("AC09");
      expect(await faultOf({ iban: scene.savings.iban })).to.equal("AC12");
      expect(await faultOf({ amount: { minor: 1n, currency: JPY } })).to.equal("AM11");
    });
  });
});

const beyondAll = { minor: 10n ** 15n, currency: EUR };
