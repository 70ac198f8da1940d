import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get } from "node:https";
import { expect } from "chai";
import {
  type SandboxDocument,
  writeSandboxDocument,
} from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { signAsPsu } from "../../../packages/sandbox/src/tpp/sign-as-psu.ts";
import { openUsedSteps, usedStepsFile } from "../../../packages/sandbox/src/tpp/used-steps-file.ts";
import { forgetUsedCodes, journeySandbox, runSql } from "../../journeys/journey-sandbox.ts";
import { until } from "../../support/eventually.ts";
import { startProgram } from "../../support/program.ts";
import { runTpp, type TestSandbox } from "../../support/sandbox.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const TPP = "packages/sandbox/src/tpp/main.ts";
const CZECH = "CZ6508000000192000145399";

/** What each type of payment needs (COBS chapter 5). */
const TYPES: Readonly<Record<string, string>> = {
  DMCT: `--to ${CZECH} --amount 1500.50 --currency CZK --message Faktura --vs 77 --ks 0308 --ss 1`,
  ESCT: "--to AT611904300234573201 --amount 1.10 --currency EUR --name Beispiel --end-to-end E2E-1",
  EXCT: "--to DE89370400440532013000 --amount 1.20 --currency USD --name Muster --bic TESTDEFF --bearer SHAR",
  NXCT: "--to 123456789 --amount 1.30 --currency USD --name Boat --country US --bic TESTUS33 --address Street Town",
};

describe("TPP command line for payments", function payments() {
  this.timeout(120_000);
  let sandbox: TestSandbox;
  let document: SandboxDocument;
  let iban: string;

  /** Runs a command that succeeds, and reads its JSON. */
  async function json(...commandLine: readonly string[]) {
    const { exitCode, stdout, stderr } = await sandbox.tpp(...commandLine, "--json");
    expect(exitCode, stderr).to.equal(0);
    return JSON.parse(stdout);
  }
  const pay = (options: string) => json("pay", "--from", iban, ...options.split(" "));
  const statusOf = async (paymentId: string) => (await json("payment", paymentId)).instructionStatus;

  before(async () => {
    sandbox = await journeySandbox();
    document = await sandbox.document();
    await forgetUsedCodes(document);
    iban = document.psus.find(({ username }) => username === "jana")?.accounts[0]?.iban ?? "";
    await json("register", "--name", "Payments");
    await json("authorize", "--psu", "jana");
  });
  beforeEach(() => forgetUsedCodes(document));

  for (const [code, options] of Object.entries(TYPES))
    it(`sends what a payment of type ${code} needs (COBS 3.2.4, chapter 5)`, async () => {
      const { serviceLevel, instructionStatus, signInfo } = await pay(options);
      expect(serviceLevel).to.deep.equal({ code });
      expect(instructionStatus).to.match(/^AC[TW]C$/);
      expect(signInfo.state).to.equal("OPEN");
    });

  it("sends symbols and a message together, and reads them again (COBS 3.2.6, 4.27)", async () => {
    const { transactionIdentification, signInfo } = await pay(TYPES.DMCT ?? "");
    const told = await json("payment", transactionIdentification);
    expect(told.signInfo).to.deep.equal(signInfo);
    expect(told.remittanceInformation).to.deep.equal({
      unstructured: "Faktura",
      structured: { creditorReferenceInformation: { reference: ["VS:77", "KS:0308", "SS:1"] } },
    });
  });

  it("sends and shows the digits of an amount as they were given, however many (A-70)", async () => {
    const options = "--to 123456789 --currency USD --name Boat --country US --bic TESTUS33 --amount";
    const { exitCode, stdout } = await sandbox.tpp(
      ...["pay", "--json", "--from", iban, ...options.split(" "), "999999999999999.99"],
    );
    expect(exitCode).to.equal(0);
    const { transactionIdentification } = JSON.parse(stdout);
    const read = "SELECT order_content FROM payment WHERE payment_id = $1";
    const [row] = await runSql(document.databases.resource, read, [transactionIdentification]);
    expect(JSON.stringify(row)).to.include("999999999999999.99");
    expect(stdout).to.include('"value":999999999999999.99,');
    const told = await sandbox.tpp("payment", transactionIdentification);
    expect(told.stdout).to.include("999,999,999,999,999.99 USD");
  });

  it("approves a payment as its PSU without a browser, and sees it executed (COBS 3.2.10, 3.2.11)", async () => {
    const { transactionIdentification: id } = await pay(`${TYPES.DMCT} --priority INST`);
    const signed = await json("sign", id, "--psu", "jana");
    expect(signed).to.include({ paymentId: id, state: "DONE" });
    expect(signed.payment.signInfo.state).to.equal("DONE");
    await until(async () => (await statusOf(id)) === "ACSC", "the payment is booked");
    const again = await sandbox.tpp("sign", id, "--psu", "jana");
    expect([again.exitCode, again.stderr.includes("TRANSACTION_MISSING")]).to.deep.equal([3, true]);
  });

  it("says when the bank has rejected a payment after its approval, and where one sees why", async () => {
    const { transactionIdentification: id } = await pay(
      `--to ${CZECH} --amount 999999999.99 --currency CZK --priority INST`,
    );
    const signed = await sandbox.tpp("sign", id, "--psu", "jana");
    expect(signed.stdout).to.include(`Next: npm run tpp -- payment ${id}\n`);
    await until(async () => (await statusOf(id)) === "RJCT", "the payment is rejected");
    const { exitCode, stdout } = await sandbox.tpp("payment", id);
    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/status +RJCT +rejected by the bank after the approval\n/)
      .and.include(`Why: npm run auth -- payment ${id}\n`);
  });

  it("prints where a person approves it, and waits until the browser returns", async () => {
    const { transactionIdentification: id } = await pay(TYPES.DMCT ?? "");
    const waiting = startProgram(TPP, ["sign", id], sandbox.environment);
    const url = new URL(await waiting.says("stdout", /^https:\S+\/sign\/\S+$/m));
    const returnUrl = `https://localhost:${document.callback.port}/callback`;
    const context = {
      sandbox: document,
      usedSteps: openUsedSteps(usedStepsFile(sandbox.directory)),
      tell: () => {},
    };
    await waiting.says("stdout", /Waiting up to/);
    await signAsPsu(context, { url, returnUrl, username: "jana" });
    const [page] = await once(
      get(`${returnUrl}?paymentId=${id}`, { ca: await readFile(document.ca) }),
      "response",
    );
    expect(page.statusCode).to.equal(200);
    const { exitCode, stdout } = await waiting.ended();
    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/status +ACSP +approved, and executed on its day\n/)
      .and.to.match(/DONE: approved/);
  });

  it("approves as the PSU whom an external TPP has sent to the bank", async () => {
    const { transactionIdentification: id } = await pay(TYPES.DMCT ?? "");
    const waiting = startProgram(TPP, ["sign", id], sandbox.environment);
    const url = await waiting.says("stdout", /^https:\S+\/sign\/\S+$/m);
    waiting.child.kill();
    await waiting.ended();
    expect(await json("psu", "jana", url)).to.deep.equal({ approved: true });
    expect((await json("payment", id)).signInfo.state).to.equal("DONE");
  });

  it("asks whether there is enough money, for programs and for people (COBS 3.2.3)", async () => {
    const { response } = await json("check", "--iban", iban, "--amount", "1.50");
    expect(response).to.equal("APPR");
    const much = await sandbox.tpp("check", "--iban", iban, "--amount", "999999999999.99");
    expect([much.exitCode, much.stdout]).to.deep.equal([
      0,
      "DECL  there is not enough money in the account\n",
    ]);
  });

  it("ends the demo with a payment that is signed, executed, and in the list of transactions", async () => {
    const { payment, steps } = await json("demo", "--psu", "marie");
    expect(payment.instructionStatus).to.equal("ACSC");
    const found = payment.transactions.transactions.find(
      ({ entryReference }: { readonly entryReference?: string }) => entryReference === payment.paymentId,
    );
    expect(found).to.deep.include({
      status: "BOOK",
      creditDebitIndicator: "DBIT",
      amount: { value: 1.5, currency: "CZK" },
    });
    expect(steps.map(({ step }: { readonly step: string }) => step)).to.include("The TPP enters a payment");
  });

  it("ends the demo with 3 and says where one sees why, when the bank rejects its payment", async () => {
    const account = document.psus.find(({ username }) => username === "marie")?.accounts[0]?.id;
    const bank = document.databases.resource;
    const [held] = await runSql(bank, "SELECT balance FROM sandbox_ledger WHERE account_id = $1", [account]);
    const hold = (balance: unknown) =>
      runSql(bank, "UPDATE sandbox_ledger SET balance = $2 WHERE account_id = $1", [account, balance]);
    await hold(0);
    const { exitCode, stderr } = await sandbox.tpp("demo", "--psu", "marie");
    await hold(Reflect.get(Object(held), "balance"));
    expect(exitCode).to.equal(3);
    expect(stderr).to.match(/^the bank rejected the payment (\w+)\nWhy: npm run auth -- payment \1\n$/);
  });

  it("leaves the payment out of the demo of a TPP that may not initiate any, and says so", async () => {
    const { exitCode, stdout, stderr } = await sandbox.tpp(
      ...["demo", "--psu", "petr", "--certificate", "aisp", "--json"],
    );
    const { payment, accounts } = JSON.parse(stdout);
    expect({ exitCode, payment }).to.deep.equal({ exitCode: 0, payment: null });
    expect(accounts.accounts).to.have.lengthOf(2);
    expect(stderr).to.include("A payment is left out: the certificate does not have the role PSP_PI");
  });

  it("leaves the payment out of the demo of a PSU without an account in crowns, and says so", async () => {
    const directory = makeTemporaryFolder("cobs-");
    const psus = document.psus.map((psu) => ({
      ...psu,
      accounts: psu.accounts.filter(({ currency }) => psu.username !== "petr" || currency !== "CZK"),
    }));
    await writeSandboxDocument(sandboxLayout(directory).document, { ...document, directory, psus });
    const { exitCode, stdout, stderr } = await runTpp(directory, ["demo", "--psu", "petr", "--json"]);
    expect({ exitCode, payment: JSON.parse(stdout).payment }).to.deep.equal({ exitCode: 0, payment: null });
    expect(stderr).to.include("A payment is left out: petr, or every other PSU, has no account in crowns");
  });

  it("says what the bank would have accepted, or which payment has the id, to people and programs (COBS 1.2.10.1)", async () => {
    const options = `${TYPES.EXCT} --priority INST --id SAME-1`.split(" ");
    const wrong = ["pay", "--from", iban, ...options];
    expect((await sandbox.tpp(...wrong)).stderr).to.include(" [ALLOWED_PRIORITY_TYPES: NORM, HIGH]");
    const told = JSON.parse((await sandbox.tpp(...wrong, "--json")).stdout);
    expect(told.error).to.equal("refused");
    expect(told.errors).to.have.lengthOf(1);
    expect(told.errors[0].parameters).to.deep.equal({ ALLOWED_PRIORITY_TYPES: ["NORM", "HIGH"] });
    const { transactionIdentification: first } = await pay(`${TYPES.DMCT} --id SAME-1`);
    const again = await sandbox.tpp("pay", "--from", iban, ...`${TYPES.ESCT} --id SAME-1`.split(" "));
    expect(again.stderr).to.include(` [TRANSACTION_IDENTIFICATION: ${first}]`);
  });

  for (const [commandLine, exitCode, words] of [
    ["pay --from X --to Y --amount 1,5", 2, "1,5 is not an amount"],
    ["pay --from X --to Y", 2, "--amount"],
    ["pay --from X --to 1 --amount 1.555", 3, "AM12"],
    ["sign nosuch --psu jana", 3, "TRANSACTION_MISSING"],
  ] as const)
    it(`ends \`${commandLine}\` with ${exitCode} and says why`, async () => {
      const run = await sandbox.tpp(...commandLine.split(" "));
      expect(run).to.include({ exitCode, stdout: "" });
      expect(run.stderr).to.include(words);
    });
});
