import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { signAsPsu } from "../../packages/sandbox/src/tpp/sign-as-psu.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";
import { until } from "../support/eventually.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp, runSql } from "./journey-sandbox.ts";

const USERNAME = "jana";
const REDIRECT = { authorizationType: "USERAGENT_REDIRECT" };

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** What differs between the kinds of payment (COBS chapter 5). */
const KINDS: Readonly<Record<string, { readonly serviceLevel: string; readonly members: object }>> = {
  "a domestic payment": {
    serviceLevel: "DMCT",
    members: { creditorAccount: { identification: { iban: "CZ6508000000192000145399" } } },
  },
  "an instant payment": {
    serviceLevel: "DMCT",
    members: {
      paymentTypeInformation: { instructionPriority: "INST" },
      creditorAccount: { identification: { iban: "CZ6508000000192000145399" } },
    },
  },
  "a SEPA payment": {
    serviceLevel: "ESCT",
    members: {
      amount: { instructedAmount: { value: 1.1, currency: "EUR" } },
      creditor: { name: "Beispiel GmbH" },
      creditorAccount: { identification: { iban: "AT611904300234573201" } },
    },
  },
  "a foreign payment inside of the EEA": {
    serviceLevel: "EXCT",
    members: {
      amount: { instructedAmount: { value: 1.2, currency: "USD" } },
      creditorAgent: { financialInstitutionIdentification: { bic: "TESTDEFF" } },
      creditor: { name: "Muster AG" },
      creditorAccount: { identification: { iban: "DE89370400440532013000" } },
    },
  },
  "a foreign payment outside of the EEA": {
    serviceLevel: "NXCT",
    members: {
      amount: { instructedAmount: { value: 1.3, currency: "USD" } },
      creditorAgent: { financialInstitutionIdentification: { bic: "TESTUS33" } },
      creditor: { name: "Sample Boat Inc.", postalAddress: { country: "US" } },
      creditorAccount: { identification: { other: { identification: "123456789" } } },
    },
  },
};

describe("Payment through both services of the sandbox", function payments() {
  this.timeout(180_000);
  let document: SandboxDocument;
  let tpp: TppClient;
  let application: TppApplication;
  let accessToken: string;
  let account: { readonly id: string; readonly iban: string };

  before(async () => {
    document = await (await journeySandbox()).document();
    tpp = await journeyTpp("all-roles");
    application = await tpp.register(["aisp", "pisp"]);
    await forgetUsedCodes(document);
    ({ accessToken } = await tpp.authorize(application, { psu: USERNAME, scope: "aisp pisp" }));
    const { accounts = [] } = document.psus.find(({ username }) => username === USERNAME) ?? {};
    const [found] = accounts.filter(({ currency }) => currency === "CZK");
    if (found === undefined) throw new Error(`${USERNAME} has no account in CZK`);
    account = found;
  });
  beforeEach(() => forgetUsedCodes(document));

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await tpp.fetch(`${document.resourceBase}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
      redirect: "manual",
    });
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? {} : JSON.parse(text) };
  }

  async function pay(members: object) {
    const instructionIdentification = randomUUID().slice(0, 30);
    const order = {
      paymentIdentification: { instructionIdentification, endToEndIdentification: "NOTPROVIDED" },
      amount: { instructedAmount: { value: 1.5, currency: "CZK" } },
      debtorAccount: { identification: { iban: account.iban } },
      ...members,
    };
    const { status, json } = await ask("POST", "/my/payments", order);
    expect(status, JSON.stringify(json)).to.equal(200);
    const { transactionIdentification: paymentId, signInfo, serviceLevel } = Object(json);
    return {
      paymentId,
      serviceLevel: serviceLevel.code,
      sign: `/my/payments/${paymentId}/sign/${signInfo.signId}`,
    };
  }

  /** Gives where the PSU is sent; comes back as long as it is told to, as fifty at once on a busy machine are. */
  async function start(sign: string): Promise<URL> {
    const { status, json } = await ask("POST", sign, REDIRECT);
    if (status === 503) return start(sign);
    expect(status, JSON.stringify(json)).to.equal(200);
    return new URL(Object(json).href.url);
  }

  async function approve(url: URL): Promise<void> {
    const usedSteps = openUsedSteps(usedStepsFile(document.directory));
    const context = { sandbox: document, usedSteps, tell: () => {} };
    await signAsPsu(context, { url, returnUrl: application.redirectUri, username: USERNAME });
  }

  const statusOf = async (paymentId: string): Promise<string> =>
    Object((await ask("GET", `/payments/${paymentId}/status`)).json).instructionStatus;

  /** Whatever day and hour it is: the bank's day of execution begins now. */
  async function letTheDayCome(paymentId: string): Promise<void> {
    const { resource } = document.databases;
    await runSql(resource, "UPDATE sandbox_order SET due_at = now() WHERE payment_id = $1", [paymentId]);
    await runSql(resource, "UPDATE payment_outbox SET due_at = now() WHERE payment_id = $1", [paymentId]);
  }

  /** The entry of the payer's account, in whichever of its currencies it was booked. */
  async function bookedOf(paymentId: string): Promise<unknown> {
    const { json } = await ask("GET", `/my/accounts/${account.id}/balance`);
    const balances: readonly { amount: { currency: string } }[] = Object(json).balances;
    for (const currency of new Set(balances.map(({ amount }) => amount.currency))) {
      const path = `/my/accounts/${account.id}/transactions?size=50&currency=${currency}`;
      const listed: readonly { entryReference?: string }[] = Object(
        (await ask("GET", path)).json,
      ).transactions;
      const found = listed.find(({ entryReference }) => entryReference === paymentId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  for (const [what, { serviceLevel, members }] of Object.entries(KINDS))
    it(`is entered, approved on auth's page, executed and booked: ${what} (COBS 3.2.4 to 3.2.11)`, async () => {
      const paid = await pay(members);
      expect(paid.serviceLevel).to.equal(serviceLevel);
      await approve(await start(paid.sign));
      await until(async () => /ACS[PC]/.test(await statusOf(paid.paymentId)), "the approval is taken");
      await until(async () => {
        await letTheDayCome(paid.paymentId);
        return (await statusOf(paid.paymentId)) === "ACSC";
      }, "the payment is booked");
      expect(Object((await ask("PUT", paid.sign, REDIRECT)).json).state).to.equal("DONE");
      expect(await bookedOf(paid.paymentId), "the entry").to.include({
        creditDebitIndicator: "DBIT",
        status: "BOOK",
      });
    });

  /** Table: where an amount is changed before the PSU approves, and by which statement. */
  const CHANGES = {
    resource: `UPDATE payment SET order_content = replace(order_content, '"1.50"', '"9.50"') WHERE payment_id = $1`,
    auth: `UPDATE signing_request SET order_text = replace(order_text, '"1.50"', '"9.50"') WHERE payment_id = $1`,
  } as const;

  for (const [service, change] of Object.entries(CHANGES))
    it(`is rejected, not executed, and recorded so, when its amount was changed in the database of ${service} before its approval (PAY-05)`, async () => {
      const { databases } = document;
      const paid = await pay(KINDS["an instant payment"]?.members ?? {});
      const url = await start(paid.sign);
      await runSql(service === "auth" ? databases.auth : databases.resource, change, [paid.paymentId]);
      await approve(url);
      await until(async () => (await statusOf(paid.paymentId)) === "RJCT", "the approval is judged");
      const orders = "SELECT 1 FROM sandbox_order WHERE payment_id = $1";
      expect(await runSql(databases.resource, orders, [paid.paymentId])).to.deep.equal([]);
      const record = "SELECT move, cause, facts FROM payment_move WHERE payment_id = $1 ORDER BY number";
      const moves = await runSql(databases.resource, record, [paid.paymentId]);
      const [entered, refused] = [Object(moves[0]), Object(moves.at(-1))];
      expect(refused).to.include({ move: "refuse_approval", cause: "digest_mismatch" });
      const isOther = refused.facts.approvedDigest !== entered.facts.orderDigest;
      expect(isOther, "what was approved is not what was entered").to.equal(service === "auth");
      const audit = `SELECT action, details::jsonb->>'digest' AS digest FROM audit_entry
        WHERE details::jsonb->>'paymentId' = $1 AND action IN ('signing.requested', 'signing.approved') ORDER BY id`;
      const told = (await runSql(databases.auth, audit, [paid.paymentId])).map((row) => Object(row));
      expect(told.map(({ digest }) => digest)).to.deep.equal([
        entered.facts.orderDigest,
        refused.facts.approvedDigest,
      ]);
    });

  it("is executed once, however often its authorization is started before it is approved", async () => {
    const paid = await pay(KINDS["an instant payment"]?.members ?? {});
    const urls = await Promise.all(Array.from({ length: 50 }, () => start(paid.sign)));
    expect(new Set(urls.map(({ href }) => href)).size).to.equal(1);
    const [url] = urls;
    if (url === undefined) throw new Error("there is no page");
    await approve(url);
    await until(async () => (await statusOf(paid.paymentId)) === "ACSC", "the payment is booked");
    const moves =
      "SELECT move FROM payment_move WHERE payment_id = $1 AND move IN ('approve', 'hand_over', 'complete')";
    const made = await runSql(document.databases.resource, moves, [paid.paymentId]);
    expect(made.map((row) => Object(row).move)).to.have.members(["approve", "hand_over", "complete"]);
  });

  it("can no longer be approved once its TPP has deleted it", async () => {
    const paid = await pay(KINDS["an instant payment"]?.members ?? {});
    const url = await start(paid.sign);
    expect((await ask("DELETE", `/my/payments/${paid.paymentId}`)).status).to.equal(200);
    const approved = await approve(url).then(
      () => true,
      () => false,
    );
    expect(approved).to.equal(false);
    expect((await ask("GET", `/payments/${paid.paymentId}/status`)).status).to.equal(404);
  });
});
