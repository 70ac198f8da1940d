import { readFileSync } from "node:fs";
import { openSandboxBank } from "@cobs/resource/sandbox";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { CoreUnavailable } from "../../packages/resource/src/bank/http-connector/core-unavailable.ts";
import { openCoreSystem } from "../../packages/sandbox/src/core-system/open-core-system.ts";
import { rejectionOf } from "../support/rejection.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { readableLog } from "../support/test-listener.ts";
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
import { answering, startScriptedCore } from "./connector/scripted-core.ts";

describe("orders through the connector to a core system", () => {
  let database: Database;
  let scene: OrderScene;
  let connected: ConnectedBank;
  let closeCore: () => Promise<void>;

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
  after(async () => {
    await connected.close();
    await closeCore();
    await database.close();
  });

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

  it("tell the charge, faults with their paths, terms and funds as the bank itself does", async () => {
    const { bank } = connected;
    const direct = openSandboxBank(database);
    const order = orderOf(scene, { priority: "HIGH" });
    for (const wanted of [
      { psu: PAYER, accounts: undefined, order },
      { psu: PAYEE, accounts: [], order: orderOf(scene, toIban(scene.closed.iban)) },
    ])
      expect(await bank.inspectOrder(wanted)).to.deep.equal(await direct.inspectOrder(wanted));
    expect(await bank.terms()).to.deep.equal(await direct.terms());
    const funds = { iban: scene.payer.iban, currency: undefined, amount: { minor: 100_001n, currency: EUR } };
    for (const psu of [PAYER, PAYEE, undefined])
      expect(await bank.hasFunds({ ...funds, psu })).to.deep.equal(await direct.hasFunds({ ...funds, psu }));
    const none = { psu: PAYER, iban: scene.payer.iban, currency: CZK, amount: { minor: 1n, currency: CZK } };
    expect(await bank.hasFunds(none)).to.deep.equal({ known: true, enough: true });
  });

  it("are never sent a second time by themselves, while questions are", async () => {
    const core = await startScriptedCore();
    const { bank, close } = await connectCore(core.url);
    core.behave((request) => void request.socket.destroy());
    const taken = approved(scene, orderOf(scene));
    expect(await rejectionOf(bank.acceptOrder(taken))).to.be.instanceOf(CoreUnavailable);
    expect(core.asked.map(({ url }) => url)).to.deep.equal([`/orders/${taken.paymentId}`]);
    expect(await rejectionOf(bank.progressOf(taken.paymentId))).to.be.instanceOf(CoreUnavailable);
    expect(core.asked).to.have.length(3);
    await close();
    await core.die();
  });

  it("are unknown, and not rejected, when the answer is none of the contract", async () => {
    const core = await startScriptedCore();
    const { bank, close } = await connectCore(core.url);
    const taken = approved(scene, orderOf(scene));
    for (const answer of [{}, { outcome: "maybe" }, { outcome: "rejected", reason: "mood" }, []]) {
      core.behave(answering(answer));
      const refusal = await rejectionOf(bank.acceptOrder(taken));
      expect(refusal).to.be.instanceOf(CoreUnavailable).and.include({ code: "answer_malformed" });
    }
    core.behave(answering({ enough: true, fault: null, balance: "10.00" }));
    const funds = { psu: PAYER, iban: scene.payer.iban, currency: CZK, amount: { minor: 1n, currency: CZK } };
    expect(await bank.hasFunds(funds)).to.deep.equal({ known: true, enough: true });
    await close();
    await core.die();
  });
});
