import { randomBytes } from "node:crypto";
import {
  bankDayOf,
  daysBefore,
  type PaymentOrder,
  parseIban,
  readStoredTransaction,
  startOfBankDay,
  type Transaction,
} from "@cobs/cobs-model";
import type { Database, Round } from "@cobs/service-edge";
import { expect } from "chai";
import type { Bank } from "../../../../packages/resource/src/bank/bank.ts";
import type { OrderToExecute } from "../../../../packages/resource/src/bank/orders.ts";
import { openSandboxBank } from "../../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import type { OrderDatabase } from "../../../../packages/resource/src/bank/sandbox-orders/accept-order-postgres.ts";
import { openSandboxOrders } from "../../../../packages/resource/src/bank/sandbox-orders/sandbox-orders-postgres.ts";
import {
  findDueOrders,
  settleOrder,
} from "../../../../packages/resource/src/bank/sandbox-orders/settle-orders-postgres.ts";
import { startSettlingOrders } from "../../../../packages/resource/src/bank/sandbox-orders/start-settling-orders.ts";
import { eventually } from "../../../support/eventually.ts";
import { readableLog } from "../../../support/readable-log.ts";
import { rejectionOf } from "../../../support/rejection.ts";
import { createTestDatabase } from "../../../support/test-databases.ts";
import { openMigratedDatabase } from "../migrated-database.ts";
import {
  approved,
  CZK,
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
import { requireTold } from "./require-told.ts";

const TRIES = 50;
const ACCEPTED = { outcome: "accepted" };

describe("orders in the sandbox bank", () => {
  /** Two pools, as two processes have them. */
  let pools: readonly [Database, Database];
  let bank: Bank;
  let scene: OrderScene;

  before(async () => {
    const url = await createTestDatabase();
    pools = [await openMigratedDatabase(url), await openMigratedDatabase(url)];
    bank = openSandboxBank(pools[0], 0);
  });
  beforeEach(async () => {
    scene = await setOrderScene(pools[0]);
  });
  afterEach("the ledger's sum stays zero", async () => {
    const text =
      "SELECT currency, sum(balance)::text AS sum FROM sandbox_ledger GROUP BY 1 HAVING sum(balance) <> 0";
    expect(await pools[0].run({ name: "", text, values: [] })).to.deep.equal([]);
  });
  after(() => Promise.all(pools.map((pool) => pool.close())));

  const settle = ({ paymentId }: OrderToExecute) => settleOrder(pools[0], paymentId);
  const accept = async (order: PaymentOrder, changed: Partial<OrderToExecute> = {}) => {
    const taken = approved(scene, order, changed);
    return { taken, outcome: await bank.acceptOrder(taken) };
  };
  const execute = async (order: PaymentOrder, changed: Partial<OrderToExecute> = {}) => {
    const { taken, outcome } = await accept(order, changed);
    expect(outcome).to.deep.equal(ACCEPTED);
    await settle(taken);
    return taken;
  };
  const listOf = async (psu: typeof PAYER, account: typeof scene.payer.id, currency = CZK) => {
    const { entries } = await bank.listTransactions({
      psu,
      account,
      currency,
      from: new Date("2026-02-01T00:00:00Z"),
      before: undefined,
      sort: [],
      page: { page: 0, size: 100 },
    });
    const told = entries.map(readStoredTransaction);
    for (const entry of told) requireTold(entry);
    return told;
  };
  const ofPayer = (currency = CZK) => listOf(PAYER, scene.payer.id, currency);
  const availableTo = async (psu: typeof PAYER, account: typeof scene.payer.id, currency = CZK) =>
    (await bank.balancesOf({ psu, account, currency })).map(({ amount }) => amount.minor).slice(0, 2);
  const summaryOf = (entries: readonly Transaction[]) =>
    entries.map(({ status, direction, amount, code }) => `${status} ${direction} ${amount.minor} ${code}`);

  it("block their amount when they are accepted, and are listed as pending", async () => {
    const { taken, outcome } = await accept(orderOf(scene));
    expect(outcome).to.deep.equal(ACCEPTED);
    expect(await bank.progressOf(taken.paymentId)).to.deep.equal({ state: "accepted" });
    expect(await availableTo(PAYER, scene.payer.id)).to.deep.equal([950_000n, 1_000_000n]);
    const [pending] = await ofPayer();
    expect(summaryOf(pending ? [pending] : [])).to.deep.equal(["PDNG DBIT 100000 10000101000"]);
    expect(pending?.entryReference).to.equal(taken.paymentId);
  });

  it("are booked in place of the blocked amount, with symbols and the payee's bank (COBS 3.1.5.1.3)", async () => {
    const taken = await execute(orderOf(scene));
    expect(await bank.progressOf(taken.paymentId)).to.deep.equal({
      state: "completed",
      entryReference: taken.paymentId,
    });
    expect(await availableTo(PAYER, scene.payer.id)).to.deep.equal([950_000n, 900_000n]);
    const [entry, ...others] = await ofPayer();
    expect(others).to.deep.equal([]);
    expect(entry?.details).to.deep.include({
      references: { instructionIdentification: "TPP-1" },
      amountDetails: { instructedAmount: { amount: { value: "1000.00", currency: "CZK" } } },
      relatedAgents: {
        debtorAgent: { financialInstitutionIdentification: { other: { identification: "9900" } } },
        creditorAgent: { financialInstitutionIdentification: { other: { identification: "0800" } } },
      },
      remittanceInformation: {
        unstructured: "Faktura 2024005",
        structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308"] } },
      },
    });
  });

  it("inside the bank are also booked on the payee's account, without the TPP's reference", async () => {
    await execute(orderOf(scene, toIban(scene.payee.iban)));
    const [entry] = await listOf(PAYEE, scene.payee.id);
    expect(summaryOf(entry ? [entry] : [])).to.deep.equal(["BOOK CRDT 100000 10000107000"]);
    expect(entry?.details).to.not.have.property("references");
    expect(entry?.details?.relatedParties).to.deep.equal({
      debtor: { name: "Žaneta Płátcová" },
      debtorAccount: { identification: { iban: scene.payer.iban } },
      creditor: { name: "Jan Příjemce" },
      creditorAccount: { identification: { iban: scene.payee.iban } },
    });
  });

  it("that are instant are booked at once, without the settling job", async () => {
    const { taken } = await accept(orderOf(scene, { priority: "INST", ...toIban(scene.payee.iban) }));
    expect((await bank.progressOf(taken.paymentId)).state).to.equal("completed");
    const [entry] = await listOf(PAYEE, scene.payee.id);
    expect(entry?.details?.references).to.deep.equal({ clearingSystemReference: "INST" });
  });

  it("in SEPA show names without accents, both BICs and the end-to-end reference (COBS 3.1.5.1.4)", async () => {
    await execute(
      orderOf(scene, {
        ...SEPA,
        ultimateDebtor: { name: "Karel Novak" },
        creditor: { name: "Beispiel GmbH", postalAddress: { country: "AT", addressLine: ["Musterweg 1"] } },
      }),
    );
    const [entry] = await ofPayer(EUR);
    expect(summaryOf(entry ? [entry] : [])).to.deep.equal(["BOOK DBIT 9990 10000401000"]);
    expect(entry?.details?.references).to.include({ endToEndIdentification: "NOTPROVIDED" });
    expect(entry?.details?.relatedParties?.debtor).to.deep.equal({ name: "Zaneta Platcova" });
    expect(entry?.details?.relatedAgents).to.deep.equal({
      debtorAgent: { financialInstitutionIdentification: { bic: "TESTCZPP" } },
      creditorAgent: { financialInstitutionIdentification: { bic: "TESTAT2X" } },
    });
    expect(entry?.details).to.not.have.nested.property("remittanceInformation.structured");
  });

  it("abroad are exchanged and charged for, and show who bears the charges (COBS 3.1.5.1.5)", async () => {
    const order = orderOf(scene, ABROAD);
    const { fee } = await bank.inspectOrder({ psu: PAYER, accounts: undefined, order });
    await execute(order, { fee });
    const entries = await ofPayer();
    expect(summaryOf(entries)).to.have.members([
      "BOOK DBIT 232000 10000201000",
      "BOOK DBIT 64000 40000201000",
    ]);
    const payment = entries.find(({ code }) => code === "10000201000");
    expect(payment?.details?.charges).to.deep.equal({ bearer: "OUR" });
    expect(payment?.details?.amountDetails).to.deep.equal({
      instructedAmount: { amount: { value: "100.00", currency: "USD" } },
      counterValueAmount: {
        amount: { value: "2320.00", currency: "CZK" },
        currencyExchange: { sourceCurrency: "CZK", targetCurrency: "USD", exchangeRate: "23.200000" },
      },
    });
  });

  it("in SEPA are charged for under the SEPA code (COBS 4.3)", async () => {
    await execute(orderOf(scene, SEPA), { fee: { minor: 25n, currency: EUR } });
    expect(summaryOf(await ofPayer(EUR))).to.have.members([
      "BOOK DBIT 9990 10000401000",
      "BOOK DBIT 25 40000301000",
    ]);
  });

  it("that are urgent are booked and charged for under the express codes (COBS 4.3)", async () => {
    await execute(orderOf(scene, { priority: "HIGH" }), { fee: { minor: 9_900n, currency: CZK } });
    expect(summaryOf(await ofPayer())).to.have.members([
      "BOOK DBIT 100000 10000102000",
      "BOOK DBIT 9900 40000101000",
    ]);
  });

  it("charge no fee that the PSU was not shown", async () => {
    await execute(orderOf(scene, ABROAD));
    expect(summaryOf(await ofPayer())).to.deep.equal(["BOOK DBIT 232000 10000201000"]);
  });

  it("in a currency of neither side are exchanged for each side", async () => {
    const inEuro = {
      amount: { minor: 1_000n, currency: EUR },
      debtorAccount: { iban: scene.payer.iban, currency: CZK },
    };
    await execute(orderOf(scene, { ...inEuro, ...toIban(scene.payee.iban) }));
    expect(summaryOf(await ofPayer())).to.deep.equal(["BOOK DBIT 25100 10000101000"]);
    expect(summaryOf(await listOf(PAYEE, scene.payee.id))).to.deep.equal(["BOOK CRDT 25100 10000107000"]);
    await execute(
      orderOf(scene, { ...toIban(scene.payeeInEuro.iban), amount: { minor: 2_510n, currency: CZK } }),
    );
    expect(summaryOf(await listOf(PAYEE, scene.payeeInEuro.id, EUR))).to.deep.equal([
      "BOOK CRDT 100 10000107000",
    ]);
  });

  it("that are exchanged are rounded half up to a hundredth, never to zero, and show a rate below one", async () => {
    for (const [minor, exchanged] of [
      [1n, 1n],
      [2_523n, 101n],
      [2_522n, 100n],
    ] as const) {
      const amount = { minor, currency: CZK };
      const debtorAccount = { iban: scene.payer.iban, currency: EUR };
      const { paymentId } = await execute(orderOf(scene, { amount, debtorAccount }));
      const entry = (await ofPayer(EUR)).find(({ entryReference }) => entryReference === paymentId);
      expect(entry?.amount).to.deep.equal({ minor: exchanged, currency: EUR });
      expect(entry?.details).to.have.nested.property(
        "amountDetails.counterValueAmount.currencyExchange.exchangeRate",
        "0.039841",
      );
    }
  });

  it("for a later day are not booked before that day", async () => {
    // Tomorrow may begin while this is going on.
    const later = daysBefore(bankDayOf(new Date()), -2);
    const { taken } = await accept(orderOf(scene), { executionDate: later });
    await settle(taken);
    expect(await bank.progressOf(taken.paymentId)).to.deep.equal({ state: "accepted" });
    const [pending] = await ofPayer();
    expect([pending?.status, pending?.valueDate]).to.deep.equal(["PDNG", later]);
    const text = "SELECT due_at FROM sandbox_order WHERE payment_id = $1";
    const [row] = await pools[0].run<{ due_at: Date }>({ name: "", text, values: [taken.paymentId] });
    expect(row?.due_at).to.deep.equal(startOfBankDay(later));
  });

  it("whose day has passed are booked at once, with no value date before today (PSD2 Article 87(3))", async () => {
    const begun = bankDayOf(new Date());
    await execute(orderOf(scene, toIban(scene.payee.iban)), { executionDate: daysBefore(begun, 1) });
    for (const entries of [await ofPayer(), await listOf(PAYEE, scene.payee.id)]) {
      expect(entries).to.have.length(1);
      for (const { status, valueDate } of entries) {
        expect(status).to.equal("BOOK");
        expect([begun, bankDayOf(new Date())]).to.include(valueDate);
      }
    }
  });

  it("for today are booked once after a pause, with two processes settling", async () => {
    const slow = openSandboxBank(pools[0], 3);
    const taken = approved(scene, orderOf(scene));
    await slow.acceptOrder(taken);
    expect(await findDueOrders(pools[0], 100)).to.not.include(taken.paymentId);
    const settling = pools.map((pool) => startSettlingOrders({ database: pool, log: readableLog().log }));
    await eventually(async () => (await bank.progressOf(taken.paymentId)).state === "completed");
    await Promise.all(settling.map(({ stop }) => stop()));
    expect(await ofPayer()).to.have.length(1);
  });

  it("that cannot be booked are logged and tried again, without holding up others", async () => {
    const { taken: broken } = await accept(orderOf(scene));
    const { taken: sound } = await accept(orderOf(scene));
    const change = (bookings: string) => {
      const text = `UPDATE sandbox_order SET bookings = ${bookings} WHERE payment_id = $1`;
      return pools[0].run({ name: "", text, values: [broken.paymentId] });
    };
    await change("jsonb_build_array(bookings)");
    const { log, lines } = readableLog();
    const settling = startSettlingOrders({ database: pools[0], log });
    try {
      await eventually(async () => (await bank.progressOf(sound.paymentId)).state === "completed");
      expect(await bank.progressOf(broken.paymentId)).to.deep.equal({ state: "accepted" });
      expect(lines.map(({ msg, paymentId }) => [msg, paymentId])).to.deep.include([
        "the sandbox bank cannot book an order",
        broken.paymentId,
      ]);
      await change("bookings -> 0");
      await eventually(async () => (await bank.progressOf(broken.paymentId)).state === "completed");
    } finally {
      await settling.stop();
    }
  });

  it("are left unchanged while the database is away, without a log line about any order", async () => {
    await accept(orderOf(scene));
    const away = Object.assign(new Error("the database is away"), { code: "ECONNREFUSED" });
    const breaking = { run: pools[0].run, transaction: () => Promise.reject(away) };
    const { log, lines } = readableLog();
    const rounds: Round[] = [];
    const countJob = () => (round: Round) => {
      rounds.push(round);
      return { stop: () => Promise.resolve() };
    };
    startSettlingOrders({ database: breaking, log, countJob });
    for (const round of rounds) expect(await rejectionOf(round(new AbortController().signal))).to.equal(away);
    expect(rounds).to.have.length(1);
    expect(lines).to.deep.equal([]);
  });

  it("that are exchanged lock all their accounts before the first booking, so that no two deadlock", async () => {
    const order = orderOf(scene, toIban(scene.payeeInEuro.iban));
    await execute(order);
    const { taken } = await accept(order);
    const lock = (account: string) => ({
      name: "",
      text: "SELECT FROM sandbox_ledger WHERE account_id = $1 FOR UPDATE NOWAIT",
      values: [account],
    });
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const settled = await pools[1].transaction(async (queries) => {
      // What only its second booking is about, and comes before the payer's in the order of their ids.
      await queries.run(lock("bank-exchange-EUR"));
      const settling = settle(taken);
      await eventually(async () => (await pools[1].run({ name: "", text: waits, values: [] })).length > 0);
      await queries.run(lock(scene.payer.id));
      return { settling };
    });
    await settled.settling;
    expect(await bank.progressOf(taken.paymentId)).to.include({ state: "completed" });
  });

  describe("sent repeatedly or at the same time", () => {
    it("are booked once when handed over fifty times at the same time", async () => {
      const taken = approved(scene, orderOf(scene, toIban(scene.payee.iban)));
      const banks = pools.map((pool) => openSandboxBank(pool, 0));
      const outcomes = await Promise.all(
        Array.from({ length: TRIES }, (_none, place) => banks[place % 2]?.acceptOrder(taken)),
      );
      expect(outcomes).to.deep.equal(Array.from({ length: TRIES }, () => ACCEPTED));
      expect(await ofPayer()).to.have.length(1);
      await Promise.all(
        Array.from({ length: TRIES }, (_none, place) =>
          settleOrder(pools[place % 2 === 0 ? 0 : 1], taken.paymentId),
        ),
      );
      await settle(taken);
      expect(summaryOf(await ofPayer())).to.deep.equal(["BOOK DBIT 100000 10000101000"]);
      expect(await listOf(PAYEE, scene.payee.id)).to.have.length(1);
      expect(await bank.acceptOrder(taken)).to.deep.equal(ACCEPTED);
      expect(await ofPayer()).to.have.length(1);
    });

    it("are answered with the known outcome when another process took them meanwhile", async () => {
      const rejected = { outcome: "rejected", reason: "creditor_closed" };
      for (const [to, outcome] of [
        [{}, ACCEPTED],
        [toIban(scene.closed.iban), rejected],
      ] as const) {
        const order = approved(scene, orderOf(scene, to));
        const late: OrderDatabase = {
          run: pools[1].run,
          transaction: async (work) => {
            await bank.acceptOrder(order);
            await settle(order);
            return pools[1].transaction(work);
          },
        };
        expect(await openSandboxOrders(late, 0).acceptOrder(order)).to.deep.equal(outcome);
      }
      expect(summaryOf(await ofPayer())).to.deep.equal(["BOOK DBIT 100000 10000101000"]);
    });

    it("are refused under a known id with another digest, while the first order stands", async () => {
      const { taken } = await accept(orderOf(scene));
      const other = {
        ...taken,
        digest: randomBytes(32),
        order: orderOf(scene, { amount: { minor: 1n, currency: CZK } }),
      };
      expect(await bank.acceptOrder(other)).to.deep.equal({ outcome: "rejected", reason: "digest_mismatch" });
      expect(await bank.progressOf(taken.paymentId)).to.deep.equal({ state: "accepted" });
      await settle(taken);
      expect(summaryOf(await ofPayer())).to.deep.equal(["BOOK DBIT 100000 10000101000"]);
    });

    it("are refused for ever under an id whose first order was not the approved one", async () => {
      const taken = approved(scene, orderOf(scene));
      const altered = { ...taken, order: orderOf(scene, { amount: { minor: 1n, currency: CZK } }) };
      const { digest, orderText } = approved(scene, orderOf(scene));
      const another = { ...taken, digest, orderText };
      const rejected = { outcome: "rejected", reason: "digest_mismatch" };
      for (const order of [altered, taken, another]) {
        expect(await bank.acceptOrder(order)).to.deep.equal(rejected);
        expect(await bank.progressOf(taken.paymentId)).to.include({ state: "rejected" });
      }
      await settle(taken);
      expect(await ofPayer()).to.deep.equal([]);
    });

    it("are not both accepted when two together exceed the funds", async () => {
      for (let round = 0; round < 5; round += 1) {
        scene = await setOrderScene(pools[0]);
        const orders = [0, 1].map(() =>
          approved(scene, orderOf(scene, { amount: { minor: 600_000n, currency: CZK } })),
        );
        const outcomes = await Promise.all(orders.map((order) => bank.acceptOrder(order)));
        expect(outcomes.map(({ outcome }) => outcome)).to.have.members(["accepted", "rejected"]);
        await Promise.all(orders.map(settle));
        expect(await availableTo(PAYER, scene.payer.id)).to.deep.equal([450_000n, 400_000n]);
      }
    });
  });

  describe("that are rejected for good", () => {
    const rejections = async (order: PaymentOrder, changed: Partial<OrderToExecute> = {}) => {
      const { taken, outcome } = await accept(order, changed);
      expect(await bank.acceptOrder(taken)).to.deep.equal(outcome);
      await settle(taken);
      const progress = await bank.progressOf(taken.paymentId);
      expect(await ofPayer()).to.deep.equal([]);
      return [
        outcome.outcome === "rejected" && outcome.reason,
        progress.state === "rejected" && progress.reason,
      ];
    };
    const twice = (reason: string) => [reason, reason];

    it("exceed the funds, the overdraft included", async () => {
      const order = orderOf(scene, { amount: { minor: 1_050_001n, currency: CZK } });
      expect(await rejections(order)).to.deep.equal(twice("funds_insufficient"));
      await execute(orderOf(scene, { amount: { minor: 1_050_000n, currency: CZK } }));
    });

    it("exceed the funds by their charge alone", async () => {
      const order = orderOf(scene, { amount: { minor: 1_050_000n, currency: CZK }, priority: "HIGH" });
      const fee = { minor: 1n, currency: CZK };
      expect(await rejections(order, { fee })).to.deep.equal(twice("funds_insufficient"));
    });

    it("come from a closed account, or from one that is not for payments", async () => {
      for (const payer of [scene.closed, scene.savings]) {
        const order = orderOf({ payer });
        expect(await rejections(order, { account: payer.id })).to.deep.equal(twice("account_closed"));
      }
    });

    it("go to the account that pays", async () => {
      const order = orderOf(scene, toIban(scene.payer.iban));
      expect(await rejections(order)).to.deep.equal(twice("creditor_closed"));
    });

    it("come from an account that the PSU does not have", async () => {
      const order = orderOf({ payer: scene.payee });
      expect(await rejections(order, { account: scene.payee.id })).to.deep.equal(twice("account_unknown"));
      expect(await rejections(order)).to.deep.equal(twice("account_unknown"));
    });

    it("are in a currency that the bank, the payer's or the payee's account does not keep", async () => {
      const inYen = { minor: 1_000n, currency: JPY };
      const debtorAccount = { iban: scene.payer.iban, currency: USD };
      expect(await rejections(orderOf(scene, { debtorAccount }))).to.deep.equal(twice("currency_unknown"));
      expect(await rejections(orderOf(scene, { amount: inYen }))).to.deep.equal(twice("currency_unknown"));
      expect(await rejections(orderOf(scene, toIban(scene.payee.iban, EUR)))).to.deep.equal(
        twice("creditor_closed"),
      );
    });

    it("go to a closed or a nonexistent account in the bank", async () => {
      const nobody = parseIban("CZ3099000000192000145399");
      for (const iban of [scene.closed.iban, nobody])
        expect(await rejections(orderOf(scene, toIban(iban)))).to.deep.equal(twice("creditor_closed"));
    });

    it("give back what was blocked when the payee's account is closed before the booking", async () => {
      const { taken } = await accept(orderOf(scene, toIban(scene.payee.iban)));
      await close(scene.payee.id);
      await settle(taken);
      expect(await bank.progressOf(taken.paymentId)).to.deep.equal({
        state: "rejected",
        reason: "creditor_closed",
      });
      expect(await bank.acceptOrder(taken)).to.deep.equal({ outcome: "rejected", reason: "creditor_closed" });
      expect(await ofPayer()).to.deep.equal([]);
      expect(await availableTo(PAYER, scene.payer.id)).to.deep.equal([1_050_000n, 1_000_000n]);
    });

    it("give back what was blocked when the funds are gone at the booking", async () => {
      const { taken } = await accept(orderOf(scene, { amount: { minor: 1_020_000n, currency: CZK } }));
      await pools[0].run({
        name: "",
        text: "UPDATE sandbox_ledger SET overdraft_limit = 0 WHERE account_id = $1",
        values: [scene.payer.id],
      });
      await settle(taken);
      const rejected = { reason: "funds_insufficient" };
      expect(await bank.progressOf(taken.paymentId)).to.deep.equal({ state: "rejected", ...rejected });
      expect(await bank.acceptOrder(taken)).to.deep.equal({ outcome: "rejected", ...rejected });
      expect(await ofPayer()).to.deep.equal([]);
      expect(await availableTo(PAYER, scene.payer.id)).to.deep.equal([1_000_000n, 1_000_000n]);
    });

    it("give back no more than they had blocked", async () => {
      const later = await accept(orderOf(scene), { executionDate: "2999-01-01" });
      const { taken } = await accept(orderOf(scene, toIban(scene.payee.iban)));
      await close(scene.payee.id);
      await settle(taken);
      expect(await bank.progressOf(taken.paymentId)).to.include({ state: "rejected" });
      expect(await bank.progressOf(later.taken.paymentId)).to.deep.equal({ state: "accepted" });
      expect(await availableTo(PAYER, scene.payer.id)).to.deep.equal([950_000n, 1_000_000n]);
    });

    it("include those whose payer's account is closed before the booking", async () => {
      const { taken } = await accept(orderOf(scene));
      await close(scene.payer.id);
      await settle(taken);
      expect(await bank.progressOf(taken.paymentId)).to.deep.equal({
        state: "rejected",
        reason: "account_closed",
      });
    });

    const close = (account: string) =>
      pools[0].run({
        name: "",
        text: "UPDATE sandbox_account SET closed_at = now() WHERE account_id = $1",
        values: [account],
      });
  });

  it("that the database failed to take are unknown, not rejected", async () => {
    const away = new Error("the database is away");
    const breaking = { run: pools[0].run, transaction: () => Promise.reject(away) };
    const order = approved(scene, orderOf(scene));
    expect(await rejectionOf(openSandboxOrders(breaking, 0).acceptOrder(order))).to.equal(away);
    expect(await bank.progressOf(order.paymentId)).to.deep.equal({ state: "unknown" });
  });

  it("whose booking breaks off stay accepted and blocked, and are booked later", async () => {
    const { taken } = await accept(orderOf(scene));
    const away = new Error("the database is away");
    let isAway = true;
    const breaking: OrderDatabase = {
      run: pools[0].run,
      transaction: (act) =>
        pools[0].transaction(async (queries) => {
          const done = await act(queries);
          if (!isAway) return done;
          isAway = false;
          throw away;
        }),
    };
    expect(await rejectionOf(settleOrder(breaking, taken.paymentId))).to.equal(away);
    expect(await bank.progressOf(taken.paymentId)).to.deep.equal({ state: "accepted" });
    expect(await availableTo(PAYER, scene.payer.id)).to.deep.equal([950_000n, 1_000_000n]);
    await settle(taken);
    expect(await bank.progressOf(taken.paymentId)).to.include({ state: "completed" });
  });

  it("that never arrived are unknown", async () => {
    expect(await bank.progressOf("0".repeat(32))).to.deep.equal({ state: "unknown" });
  });
});

const SEPA: Partial<PaymentOrder> = {
  type: "sepa",
  endToEndIdentification: "NOTPROVIDED",
  amount: { minor: 9_990n, currency: EUR },
  chargeBearer: "SLEV",
  creditorAccount: { iban: parseIban("AT611904300234573201"), currency: undefined },
};

const ABROAD: Partial<PaymentOrder> = {
  type: "outside-eea",
  amount: { minor: 10_000n, currency: USD },
  chargeBearer: "DEBT",
  creditor: { name: "Sample Boat Inc.", postalAddress: { country: "US", addressLine: ["1256 Grand St"] } },
  creditorAgent: { bic: "TESTUS33", name: "Sample Commercial Bank" },
  creditorAccount: { number: "123456789" },
};
