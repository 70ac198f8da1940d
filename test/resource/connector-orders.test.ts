import { readFileSync } from "node:fs";
import { json } from "node:stream/consumers";
import type { PaymentOrder } from "@cobs/cobs-model";
import { openSandboxBank } from "@cobs/resource/sandbox";
import type { Clock, Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { Bank } from "../../packages/resource/src/bank/bank.ts";
import { CoreUnavailable } from "../../packages/resource/src/bank/core-unavailable.ts";
import type { OrderToExecute } from "../../packages/resource/src/bank/orders.ts";
import { openCoreSystem } from "../../packages/sandbox/src/core-system/open-core-system.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { openMigratedDatabase } from "./bank/migrated-database.ts";
import {
  approved,
  CZK,
  EUR,
  type OrderScene,
  orderOf,
  PAYEE,
  PAYER,
  setOrderScene,
  toIban,
} from "./bank/orders/order-bank.ts";
import { type ConnectedBank, connectCore } from "./connector/connect-core.ts";
import {
  answering,
  type Behaviour,
  type ScriptedCore,
  startScriptedCore,
} from "./connector/scripted-core.ts";
import {
  aheadClock,
  approvedPayment,
  executeDuePayments,
  executingProcess,
  letPausesPass,
} from "./execution/executing-scene.ts";

describe("orders through the connector to a core system", () => {
  let database: Database;
  let scene: OrderScene;
  let connected: ConnectedBank;
  let closeCore: () => Promise<void>;
  /** Ends what `scriptCore` has started. */
  let endScripted: () => Promise<void>;

  before(async () => {
    database = await openMigratedDatabase();
    scene = await setOrderScene(database);
    const { server, privateCaFile } = await testCertificates();
    const authority = readFileSync(privateCaFile, "utf8");
    const { log } = readableLog();
    const place = { port: 0, keyPair: server.resourceBank, authority, log };
    const core = await openCoreSystem(openSandboxBank(database, 0), place);
    closeCore = core.close;
    connected = await connectCore(new URL(core.url), { timeoutMilliseconds: 20_000 });
  });
  beforeEach(() => {
    endScripted = async () => {};
  });
  afterEach(() => endScripted());
  after(async () => {
    await connected.close();
    await closeCore();
    await database.close();
  });

  /** A core system whose answers the test writes, and the bank behind it; both end with the test. */
  async function scriptCore(clock?: Clock): Promise<{ core: ScriptedCore; bank: Bank }> {
    const core = await startScriptedCore();
    const { bank, close } = await connectCore(core.url, {}, clock);
    endScripted = async () => {
      await close();
      await core.die();
    };
    return { core, bank };
  }

  it("are inspected, accepted once and followed to their end", async () => {
    const { bank } = connected;
    const changed = { priority: "INST", ...toIban(scene.payee.iban) } as const;
    const order = orderOf(scene, changed);
    const inspection = { psu: PAYER, accounts: [scene.payer.id], order };
    expect(await bank.inspectOrder(inspection)).to.deep.equal({
      account: scene.payer.id,
      fee: undefined,
      faults: [],
    });
    const taken = approved(scene, order);
    expect(await bank.progressOf(taken.paymentId)).to.deep.equal({ state: "unknown" });
    for (let time = 0; time < 2; time += 1)
      expect(await bank.acceptOrder(taken)).to.deep.equal({ outcome: "accepted" });
    expect(await bank.progressOf(taken.paymentId)).to.deep.equal({
      state: "completed",
      entryReference: taken.paymentId,
    });
    const other = { ...taken, digest: Buffer.alloc(32, 1) };
    expect(await bank.acceptOrder(other)).to.deep.equal({ outcome: "rejected", reason: "digest_mismatch" });
  });

  it("get the same charge, faults, terms and funds as from the bank directly", async () => {
    const { bank } = connected;
    const direct = openSandboxBank(database);
    const order = orderOf(scene, { priority: "HIGH" });
    for (const wanted of [
      { psu: PAYER, accounts: undefined, order },
      { psu: PAYEE, accounts: [], order: orderOf(scene, toIban(scene.closed.iban)) },
    ])
      expect(await bank.inspectOrder(wanted)).to.deep.equal(await direct.inspectOrder(wanted));
    expect(await bank.terms()).to.deep.equal(await direct.terms());
    const { id, iban } = scene.payer;
    const of = { accounts: [id, scene.savings.id], iban };
    const funds = { ...of, currency: undefined, amount: { minor: 100_001n, currency: EUR } };
    for (const psu of [PAYER, PAYEE])
      expect(await bank.hasFunds({ ...funds, psu })).to.deep.equal(await direct.hasFunds({ ...funds, psu }));
    const none = { ...of, psu: PAYER, currency: CZK, amount: { minor: 1n, currency: CZK } };
    expect(await bank.hasFunds(none)).to.deep.equal({ known: true, account: id, enough: true });
    const uncovered = { ...none, accounts: [scene.savings.id] };
    expect(await bank.hasFunds(uncovered)).to.deep.equal(await direct.hasFunds(uncovered));
    expect(await bank.hasFunds(uncovered)).to.include({ known: false });
  });

  it("are refused for the payee with a message that its currency may be the reason (AC03)", async () => {
    const inspected = await connected.bank.inspectOrder({
      psu: PAYER,
      accounts: undefined,
      order: orderOf(scene, toIban(scene.payee.iban, EUR)),
    });
    const [fault] = inspected.faults;
    expect(fault).to.include({ code: "AC03", path: "creditorAccount.identification.iban" });
    expect(fault?.message).to.include("or is not kept in the currency of creditorAccount");
  });

  it("are asked about with the consent's accounts and the named currency, or null for none", async () => {
    const { core, bank } = await scriptCore();
    const { id, iban } = scene.payer;
    const sent: unknown[] = [];
    const right = { psuId: PAYER, iban, accountId: id, fee: null, faults: [], enough: true, fault: null };
    core.behave(async (request, response) => {
      const { order: _order, amount: _amount, ...asked } = Object(await json(request));
      sent.push(asked);
      answering(right)(request, response);
    });
    const inspected = { psu: PAYER, order: orderOf(scene) };
    for (const accounts of [[id, scene.savings.id], undefined])
      await bank.inspectOrder({ ...inspected, accounts });
    const funds = { psu: PAYER, iban, accounts: [id], amount: { minor: 1n, currency: EUR } };
    for (const currency of [CZK, undefined]) await bank.hasFunds({ ...funds, currency });
    expect(sent).to.deep.equal([
      { psuId: PAYER, accountIds: [id, scene.savings.id] },
      { psuId: PAYER, accountIds: null },
      { psuId: PAYER, accountIds: [id], iban, currency: "CZK" },
      { psuId: PAYER, accountIds: [id], iban, currency: null },
    ]);
  });

  it("are never resent automatically, while questions are", async () => {
    const { core, bank } = await scriptCore();
    core.behave((request) => void request.socket.destroy());
    const taken = approved(scene, orderOf(scene));
    expect(await rejectionOf(bank.acceptOrder(taken))).to.be.instanceOf(CoreUnavailable);
    expect(core.asked.map(({ url }) => url)).to.deep.equal([`/orders/${taken.paymentId}`]);
    expect(await rejectionOf(bank.progressOf(taken.paymentId))).to.be.instanceOf(CoreUnavailable);
    expect(core.asked).to.have.length(3);
  });

  it("are judged by terms fetched once a minute for all callers, and again after a failed fetch", async () => {
    const clock = movableClock();
    const { core, bank } = await scriptCore(clock);
    const terms = await connected.bank.terms();
    core.behave(answering({}));
    expect(await rejectionOf(bank.terms())).to.include({ code: "answer_malformed" });
    core.behave(answering(terms));
    for (const answer of await Promise.all(Array.from({ length: 20 }, () => bank.terms())))
      expect(answer).to.deep.equal(terms);
    expect(core.asked).to.have.length(2);
    clock.advance(59_999);
    await bank.terms();
    expect(core.asked).to.have.length(2);
    clock.advance(1);
    await bank.terms();
    expect(core.asked).to.have.length(3);
  });

  it("rejected with the core's own reason end, and the reason is logged if it is a code", async () => {
    const { core, bank } = await scriptCore();
    const { parts, store, lines } = executingProcess(database, { bank, clock: aheadClock() });
    const words = {
      LIMIT_D2: "LIMIT_D2",
      "Jan Novák": "(not a code)",
      CZ6508000000192000145399: "(not a code)",
    };
    for (const [word, logged] of Object.entries(words)) {
      const { id, organisationIdentifier } = await approvedPayment(database, scene);
      core.behave(answeringOrder({ outcome: "rejected", reason: word }));
      await executeDuePayments(parts);
      const payment = await store.find({ id, organisationIdentifier });
      expect(payment).to.have.nested.property("rejection.reason", "other");
      expect(lines.at(-1)).to.include({ paymentId: id, ownWord: logged });
    }
    expect(JSON.stringify(lines)).to.not.match(/Novák|CZ65/);
    const late = await approvedPayment(database, scene);
    core.behave(answeringOrder({ outcome: "accepted" }));
    await executeDuePayments(parts);
    core.behave(answeringOrder({ state: "rejected", reason: null }));
    await letPausesPass(database);
    await executeDuePayments(parts);
    expect(await store.find(late)).to.have.nested.property("rejection.reason", "other");
  });

  it("are completed though the core's reference cannot be stored, which is then left out", async () => {
    const { core, bank } = await scriptCore();
    const { parts, store } = executingProcess(database, { bank, clock: aheadClock() });
    const bad = ["a\u0000b", "\ud800", "x".repeat(36), "", "a\nb", 5, undefined];
    for (const [reference, kept] of [
      ...bad.map((each) => [each, undefined]),
      ["T-č. 1/2026", "T-č. 1/2026"],
    ]) {
      const terms = await approvedPayment(database, scene);
      core.behave(answeringOrder({ outcome: "accepted" }));
      await executeDuePayments(parts);
      core.behave(answeringOrder({ state: "completed", entryReference: reference }));
      await letPausesPass(database);
      await executeDuePayments(parts);
      const payment = await store.find(terms);
      expect(payment, JSON.stringify(reference)).to.include({ state: "completed", entryReference: kept });
    }
  });

  it("get a charge in whole hundredths with at most fifteen digits before the point, or no answer", async () => {
    const { core, bank } = await scriptCore();
    const order = orderOf(scene);
    const inspect = () => bank.inspectOrder({ psu: PAYER, accounts: undefined, order });
    const about = { psuId: PAYER, iban: order.debtorAccount.iban };
    const fee = (value: string, currency: string) =>
      core.behave(answering({ ...about, accountId: scene.payer.id, fee: { value, currency }, faults: [] }));
    for (const [value, currency] of [
      ["0.125", "KWD"],
      ["1.001", "KWD"],
      ["1000000000000000.00", "CZK"],
      ["1000000000000000", "JPY"],
    ] as const) {
      fee(value, currency);
      expect(await rejectionOf(inspect())).to.include({
        code: "answer_malformed",
        detail: "fee must have at most two decimals, and at most fifteen digits before them (clause 6.2)",
      });
    }
    for (const [value, currency, minor] of [
      ["0.120", "KWD", 120n],
      ["64", "JPY", 64n],
      ["999999999999999", "JPY", 999_999_999_999_999n],
      ["999999999999999.99", "CZK", 99_999_999_999_999_999n],
    ] as const) {
      fee(value, currency);
      expect((await inspect()).fee?.minor).to.equal(minor);
    }
  });

  it("are rejected by a comparing core if amount, payee or day changed on the way (RTS Article 5(1)(d), PAY-05)", async () => {
    const { bank } = connected;
    const order = orderOf(scene, { priority: "INST" });
    const another = approved(scene, order);
    const changes: readonly ((taken: OrderToExecute) => Partial<OrderToExecute>)[] = [
      () => ({ order: { ...order, amount: { minor: order.amount.minor + 1n, currency: CZK } } }),
      () => ({ order: { ...order, ...toIban(scene.payee.iban) } }),
      () => ({ executionDate: "2026-03-03" }),
      () => ({ fee: { minor: 1n, currency: CZK } }),
      () => ({ digest: another.digest, orderText: another.orderText }),
      ({ orderText }) => ({ orderText: orderText.replace('"1000.00"', '"1.00"') }),
      () => ({ digest: another.digest }),
    ];
    const reason = "digest_mismatch";
    for (const change of changes) {
      const taken = approved(scene, order);
      // Resource tells that it was rejected, and somebody pays otherwise: it is not executed when it comes as approved.
      for (const sent of [{ ...taken, ...change(taken) }, taken]) {
        expect(await bank.acceptOrder(sent)).to.deep.equal({ outcome: "rejected", reason });
        expect(await bank.progressOf(taken.paymentId)).to.deep.equal({ state: "rejected", reason });
      }
    }
    expect(await bank.acceptOrder(approved(scene, order))).to.deep.equal({ outcome: "accepted" });
  });

  it("are not taken as rejected when the answer breaks the contract", async () => {
    const { core, bank } = await scriptCore();
    const taken = approved(scene, orderOf(scene));
    for (const answer of [{}, { outcome: "maybe" }, { outcome: "rejected or not" }, []]) {
      core.behave(Array.isArray(answer) ? answering(answer) : answeringOrder(answer));
      const refusal = await rejectionOf(bank.acceptOrder(taken));
      expect(refusal).to.be.instanceOf(CoreUnavailable).and.include({ code: "answer_malformed" });
    }
    for (const answer of [{}, { state: "done" }, { state: ["completed"] }, { outcome: "accepted" }]) {
      core.behave(answeringOrder(answer));
      const refusal = await rejectionOf(bank.progressOf(taken.paymentId));
      expect(refusal).to.be.instanceOf(CoreUnavailable).and.include({ code: "answer_malformed" });
    }
    const about = { psuId: PAYER, iban: scene.payer.iban };
    const inspection = { ...about, accountId: null, fee: null, faults: ["AC03"] };
    core.behave(answering(inspection));
    const inspected = { psu: PAYER, accounts: undefined, order: orderOf(scene) };
    expect(await rejectionOf(bank.inspectOrder(inspected))).to.include({
      detail: "accountId is null, but faults have no AC02 (clause 6.2)",
    });
    for (const accountId of [7, "", undefined]) {
      core.behave(answering({ ...about, accountId, fee: null, faults: [] }));
      expect(await rejectionOf(bank.inspectOrder(inspected))).to.include({ code: "answer_malformed" });
    }
  });

  it("are not judged by terms that break the contract", async () => {
    const { core, bank } = await scriptCore();
    const terms = await connected.bank.terms();
    const { sepa } = terms.cutOff;
    const sepaOnly = (priorities: unknown) => ({ priorities: { ...terms.priorities, sepa: priorities } });
    const WRONG: readonly (readonly [string, object])[] = [
      ["bankCode must be four digits", { bankCode: "99000" }],
      ["bankCode must be four digits", { bankCode: 9_900 }],
      ["currencies is not a list", { currencies: "CZK" }],
      ["currencies has more than 200 members", { currencies: Array(201).fill("CZK") }],
      ["priorities.sepa is not a list", sepaOnly("NORM")],
      ["priorities.sepa has more than 3 members", sepaOnly(["NORM", "HIGH", "INST", "NORM"])],
      ["priorities.sepa[1] must be one of NORM, HIGH, INST", sepaOnly(["NORM", "FAST"])],
      ["priorities is not an object", { priorities: ["NORM"] }],
      ["cutOff.sepa.NORM must be a time of day (hh:mm)", ofSepa({ ...sepa, NORM: "24:00" })],
      ["cutOff.sepa.NORM must be a time of day (hh:mm)", ofSepa({ ...sepa, NORM: "7:30" })],
      ["cutOff.sepa.HIGH must be a time of day (hh:mm)", ofSepa({ ...sepa, HIGH: "13:00:00" })],
      ["cutOff.sepa.HIGH is missing", ofSepa({ ...sepa, HIGH: undefined })],
      ["maxDaysAhead must be a whole number, zero or more", { maxDaysAhead: 1.5 }],
      ["maxDaysAhead is more than ten years", { maxDaysAhead: 3_651 }],
    ];
    function ofSepa(times: object) {
      return { cutOff: { ...terms.cutOff, sepa: times } };
    }
    for (const [what, changed] of WRONG) {
      core.behave(answering({ ...terms, ...changed }));
      expect(await rejectionOf(bank.terms())).to.include({ detail: `${what} (clause 6.1)` });
    }
    core.behave(answering({ ...terms, maxDaysAhead: 3_650 }));
    expect(await bank.terms()).to.include({ maxDaysAhead: 3_650 });
  });

  it("get no charge in another currency than the one they name for the paying account", async () => {
    const { core, bank } = await scriptCore();
    const { iban, id } = scene.payer;
    const order = { ...orderOf(scene), debtorAccount: { iban, currency: CZK } };
    const inspect = () => bank.inspectOrder({ psu: PAYER, accounts: undefined, order });
    const answer = (currency: string, faults: readonly string[]) =>
      core.behave(answering({ psuId: PAYER, iban, accountId: id, fee: { value: "1.00", currency }, faults }));
    answer("EUR", []);
    const detail = "fee.currency is not that of debtorAccount (clause 6.2)";
    expect(await rejectionOf(inspect())).to.include({ code: "answer_malformed", detail });
    answer("CZK", []);
    expect((await inspect()).fee).to.deep.equal({ minor: 100n, currency: CZK });
    answer("EUR", ["AC10"]);
    expect((await inspect()).faults.map(({ code }) => code)).to.deep.equal(["AC10"]);
  });

  describe("get the core system's faults", () => {
    /** What is told of an order that names no currency of its payer, with some of it changed. */
    async function toldOf(answered: readonly string[], changed: Partial<PaymentOrder> = {}) {
      const { core, bank } = await scriptCore();
      const { iban, id } = scene.payer;
      core.behave(answering({ psuId: PAYER, iban, accountId: id, fee: null, faults: answered }));
      const order = { ...orderOf(scene), debtorAccount: { iban, currency: undefined }, ...changed };
      const { faults } = await bank.inspectOrder({ psu: PAYER, accounts: undefined, order });
      return faults.map(({ code, path }) => `${code} ${path}`);
    }

    it("once each, also when it repeats them", async () => {
      expect(await toldOf(["AC12", "AC03", "AC12", "AC03"])).to.deep.equal([
        "AC12 debtorAccount.identification.iban",
        "AC03 creditorAccount.identification.iban",
      ]);
    });

    it("with the path of the payee, also of one abroad known by a number", async () => {
      const told = await toldOf(["AC03"], { creditorAccount: { number: "123" } });
      expect(told).to.deep.equal(["AC03 creditorAccount.identification.other.identification"]);
    });

    it("but none about a payer's currency that they do not name", async () => {
      const detail = "faults[0] must not be AC10, because the question names no currency (clause 6.2)";
      expect(await rejectionOf(toldOf(["AC10"]))).to.include({ code: "answer_malformed", detail });
    });
  });

  it("are not answered by a document that names another payment, account or PSU, or none", async () => {
    const { core, bank } = await scriptCore();
    const order = orderOf(scene);
    const taken = approved(scene, order);
    const of = { psu: PAYER, iban: scene.payer.iban };
    const inspect = () => bank.inspectOrder({ psu: PAYER, accounts: [scene.payer.id], order });
    const amount = { minor: 1n, currency: CZK };
    const haveFunds = () => bank.hasFunds({ ...of, accounts: [scene.payer.id], currency: undefined, amount });
    const inspected = { accountId: scene.payer.id, fee: null, faults: [] };
    const there = { accountId: scene.payer.id, enough: true, fault: null };
    const another = "is not the one that was asked about (clause 1.6)";
    const rows: readonly (readonly [() => Promise<unknown>, object, string])[] = [
      [() => bank.acceptOrder(taken), { outcome: "rejected" }, "paymentId is missing (clause 1.6)"],
      [() => bank.acceptOrder(taken), { paymentId: "p2", outcome: "accepted" }, `paymentId ${another}`],
      [() => bank.progressOf("p1"), { state: "unknown" }, "paymentId is missing (clause 1.6)"],
      [() => bank.progressOf("p1"), { paymentId: "p2", state: "completed" }, `paymentId ${another}`],
      [inspect, { ...inspected, iban: of.iban }, "psuId is missing (clause 1.6)"],
      [inspect, { ...inspected, iban: of.iban, psuId: PAYEE }, `psuId ${another}`],
      [inspect, { ...inspected, iban: scene.payee.iban, psuId: PAYER }, `iban ${another}`],
      [
        inspect,
        { ...inspected, iban: of.iban, psuId: PAYER, accountId: scene.payee.id },
        "accountId is not one of accountIds (clause 6.2)",
      ],
      [haveFunds, there, "psuId is missing (clause 1.6)"],
      [haveFunds, { ...there, psuId: null, iban: of.iban }, `psuId ${another}`],
      [haveFunds, { ...there, psuId: PAYER, iban: scene.payee.iban }, `iban ${another}`],
      [
        haveFunds,
        { ...there, iban: of.iban, psuId: PAYER, accountId: scene.payee.id },
        "accountId is not one of accountIds (clause 6.3)",
      ],
    ];
    for (const [ask, answer, detail] of rows) {
      core.behave(answering(answer));
      expect(await rejectionOf(ask()), detail).to.include({ code: "answer_malformed", detail });
    }
  });
});

/** Answers a question about a payment, under its id. */
function answeringOrder(document: object): Behaviour {
  return (request, response) => {
    const paymentId = request.url?.split("/").at(-1);
    answering({ paymentId, ...document })(request, response);
  };
}
