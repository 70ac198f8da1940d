import { expect } from "chai";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { EMPTY, HISTORY } from "../resource/small-movements.ts";
import { eventually } from "../support/eventually.ts";
import { balanceOf } from "./account-information.ts";
import { openPayingTpp, PAYMENTS, type PayingTpp, signingOf } from "./payments.ts";

const REDIRECT = { authorizationType: "USERAGENT_REDIRECT" };

describe("payments (COBS 3.2.4 to 3.2.11)", () => {
  let resource: RunningResource;
  let tpp: PayingTpp;
  before(async () => {
    resource = await runResource();
    tpp = await openPayingTpp(resource);
  });
  after(() => resource.stop());

  const pathOf = ({ paymentId }: { readonly paymentId: string }) => `${PAYMENTS}/${paymentId}`;

  it("are entered, approved by their PSU, executed, and told at each step (COBS 7.4)", async () => {
    const paid = await tpp.start();
    const document = JSON.parse(paid.answer.body);
    expect(document).to.include({ transactionIdentification: paid.paymentId, instructionStatus: "ACTC" });
    expect(document.signInfo).to.deep.equal({ state: "OPEN", signId: paid.signId });
    expect(await tpp.statusOf(paid.paymentId)).to.equal("ACTC");
    resource.auth.signing.approve(paid.request.id);
    await eventually(async () => (await tpp.statusOf(paid.paymentId)) === "ACSC");
    expect(await tpp.signStateOf(paid)).to.equal("DONE");
    const detail = JSON.parse((await tpp.call({ path: pathOf(paid) })).body);
    const signInfo = { state: "DONE", signId: paid.signId };
    expect(detail).to.deep.equal({ ...document, signInfo, instructionStatus: "ACSC" });
  });

  it("are echoed with every digit of the largest amount (A-70)", async () => {
    const order = tpp.order({
      creditorAccount: { identification: { iban: "DE89370400440532013000" } },
      creditorAgent: { financialInstitutionIdentification: { bic: "TESTDEFF" } },
      creditor: { name: "Muster AG" },
      paymentTypeInformation: { instructionPriority: "NORM" },
      amount: { instructedAmount: { value: 0, currency: "USD" } },
    });
    const body = JSON.stringify(order).replace('"value":0', '"value":999999999999999.99');
    const answer = await tpp.send("POST", PAYMENTS, body);
    expect(answer.status, answer.body).to.equal(200);
    expect(answer.body).to.include('"value":999999999999999.99');
  });

  describe("entered again", () => {
    it("under one idempotency key are one, and answered as at first, fifty at once (PAY-01, PAY-04)", async () => {
      const [order, headers] = [tpp.order(), { "idempotency-key": "key-1" }];
      const calls = Array.from({ length: 50 }, () => tpp.send("POST", PAYMENTS, order, { headers }));
      const answers = await Promise.all(calls);
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map(({ body }) => body)).size).to.equal(1);
    });

    it("without a key are one, which the others are told, fifty at once (AM05, A-62)", async () => {
      const order = tpp.order();
      const answers = await Promise.all(Array.from({ length: 50 }, () => tpp.send("POST", PAYMENTS, order)));
      const entered = answers.filter(({ status }) => status === 200);
      expect(entered).to.have.length(1);
      const { transactionIdentification } = JSON.parse(entered[0]?.body ?? "");
      const others = answers
        .filter(({ status }) => status === 400)
        .map(({ body }) => JSON.parse(body).errors[0]);
      expect(others).to.have.length(49);
      for (const { error, parameters } of others)
        expect({ error, parameters }).to.deep.equal({
          error: "AM05",
          parameters: { TRANSACTION_IDENTIFICATION: transactionIdentification },
        });
    });

    it("with the same key and another body are refused, and the first is unchanged (PAY-02)", async () => {
      const headers = { "idempotency-key": "key-2" };
      const first = await tpp.send("POST", PAYMENTS, tpp.order(), { headers });
      const other = await tpp.send("POST", PAYMENTS, tpp.order(), { headers });
      expect(other.status).to.equal(400);
      expect(JSON.parse(other.body).errors[0]).to.include({
        error: "FIELD_INVALID",
        scope: "Idempotency-Key",
      });
      const { transactionIdentification: paymentId } = JSON.parse(first.body);
      expect((await tpp.call({ path: pathOf({ paymentId }) })).body).to.equal(first.body);
    });

    it("of another TPP are other ones", async () => {
      const other = await openPayingTpp(resource, "second-tpp");
      const order = tpp.order();
      const headers = { "idempotency-key": "key-3" };
      const answers = [tpp, other].map((each) => each.send("POST", PAYMENTS, order, { headers }));
      const ids = (await Promise.all(answers)).map(({ body }) => JSON.parse(body).transactionIdentification);
      expect(new Set(ids).size).to.equal(2);
    });
  });

  describe("that their TPP deletes", () => {
    it("are gone for everybody, with an empty answer (COBS 3.2.7, A-64)", async () => {
      const paid = await tpp.pay();
      const answer = await tpp.call({ method: "DELETE", path: pathOf(paid) });
      expect([answer.status, answer.body]).to.deep.equal([200, ""]);
      expect(await tpp.statusOf(paid.paymentId)).to.equal("404");
      expect(await tpp.signStateOf(paid)).to.equal("404");
    });

    it("cannot be approved any more, because auth's request is ended first", async () => {
      const paid = await tpp.start();
      expect((await tpp.call({ method: "DELETE", path: pathOf(paid) })).status).to.equal(200);
      expect(paid.request.told.state).to.equal("cancelled");
    });

    it("are executed when their PSU was faster, of whom nothing was heard yet (A-64)", async () => {
      const paid = await tpp.start();
      resource.auth.signing.tells = false;
      resource.auth.signing.approve(paid.request.id);
      resource.auth.signing.tells = true;
      const answer = await tpp.call({ method: "DELETE", path: pathOf(paid) });
      expect(answer.status).to.equal(404);
      await eventually(async () => (await tpp.statusOf(paid.paymentId)) === "ACSC");
    });

    it("stay when auth cannot be asked, and can be deleted afterwards", async () => {
      const paid = await tpp.start();
      const { signing } = resource.auth;
      signing.write = () => undefined;
      const silent = await tpp.call({ method: "DELETE", path: pathOf(paid) });
      signing.write = (answer) => answer;
      expect([silent.status, silent.headers["retry-after"]]).to.deep.equal([503, "2"]);
      expect((await tpp.call({ method: "DELETE", path: pathOf(paid) })).status).to.equal(200);
    });

    it("are approved or deleted, and never both, when both happen at once", async () => {
      for (let round = 0; round < 10; round += 1) {
        const paid = await tpp.start();
        const deletion = tpp.call({ method: "DELETE", path: pathOf(paid) });
        if (paid.request.told.state === "waiting") resource.auth.signing.approve(paid.request.id);
        const { status } = await deletion;
        const expected = paid.request.told.state === "approved" ? 404 : 200;
        expect(status).to.equal(expected);
        const end = expected === 404 ? "ACSC" : "404";
        await eventually(async () => (await tpp.statusOf(paid.paymentId)) === end);
      }
    });
  });

  describe("whose PSU", () => {
    it("refuses are rejected (COBS 7.2)", async () => {
      const paid = await tpp.start();
      resource.auth.signing.refuse(paid.request.id);
      await eventually(async () => (await tpp.statusOf(paid.paymentId)) === "RJCT");
      expect(await tpp.signStateOf(paid)).to.equal("REJECT");
    });

    it("lets the time pass may be asked anew, in a new authorization (COBS 3.2.8)", async () => {
      const paid = await tpp.start();
      resource.auth.signing.expire(paid.request.id);
      await eventually(async () => (await tpp.signStateOf(paid)) === "CLOSE");
      const opened = await tpp.call({ method: "POST", path: `${pathOf(paid)}/sign` });
      const { scenarios, signInfo } = JSON.parse(opened.body);
      expect(scenarios).to.deep.equal([["USERAGENT_REDIRECT"]]);
      expect(signInfo.state).to.equal("OPEN");
      expect(signInfo.signId).not.to.equal(paid.signId);
      expect(await tpp.signStateOf(paid)).to.equal("CLOSE");
    });

    it("approves other bytes than were entered are not executed (RTS Article 5, PAY-05)", async () => {
      const paid = await tpp.start();
      const digest = Buffer.alloc(32, 7).toString("base64url");
      resource.auth.signing.approve(paid.request.id, { digest });
      const isTold = () => resource.logLines.some(({ detail }) => /of other bytes/.test(String(detail)));
      await eventually(isTold);
      expect(await tpp.statusOf(paid.paymentId)).to.equal("ACTC");
    });

    it("approves are executed once, however often auth says so", async () => {
      const paid = await tpp.start();
      resource.auth.signing.approve(paid.request.id);
      for (let time = 0; time < 50; time += 1) resource.auth.feed.tell("signing_approved", paid.request.id);
      await eventually(async () => (await tpp.statusOf(paid.paymentId)) === "ACSC");
      const token = resource.giveToken();
      const path = "/cobs/2.0/my/accounts/psu-many-01/transactions?size=100";
      const { transactions } = JSON.parse((await resource.call({ token, path })).body);
      const booked = JSON.stringify(transactions).split(paid.paymentId).length - 1;
      const { instructionIdentification } = JSON.parse(paid.answer.body).paymentIdentification;
      const named = JSON.stringify(transactions).split(instructionIdentification).length - 1;
      expect(Math.max(booked, named)).to.equal(1);
    });

    it("has approved while auth's word was lost are found without anybody's help", async () => {
      const paid = await tpp.start();
      resource.auth.signing.tells = false;
      resource.auth.signing.approve(paid.request.id);
      resource.auth.signing.tells = true;
      resource.clock.advance(60_000);
      await eventually(async () => (await tpp.statusOf(paid.paymentId)) === "ACSC", 10_000);
    });
  });

  describe("for which there is not enough", () => {
    it("are rejected when they are executed, and not before (COBS 7.5)", async () => {
      const paid = await tpp.start({
        debtorAccount: { identification: { iban: tpp.iban(EMPTY) } },
      });
      resource.auth.signing.approve(paid.request.id);
      await eventually(async () => (await tpp.statusOf(paid.paymentId)) === "RJCT");
      expect(await tpp.signStateOf(paid)).to.equal("DONE");
    });

    it("for both of two are executed once, when both are approved at once (PAY-10)", async () => {
      const answer = await resource.call({ token: resource.giveToken(), path: balanceOf(HISTORY) });
      const { balances } = JSON.parse(answer.body);
      const available: number = balances[0].amount.value;
      const value = Math.floor(available * 0.6);
      const order = { amount: { instructedAmount: { value, currency: "CZK" } } };
      const both = [await tpp.start(order), await tpp.start(order)];
      for (const { request } of both) resource.auth.signing.approve(request.id);
      const statuses = async () => Promise.all(both.map(({ paymentId }) => tpp.statusOf(paymentId)));
      await eventually(async () => (await statuses()).sort().join() === "ACSC,RJCT");
    });
  });

  it("that nobody approves in time have expired (COBS 7.5)", async () => {
    const paid = await tpp.pay();
    resource.clock.advance(31 * 60_000);
    const now = await openPayingTpp(resource);
    expect(await now.statusOf(paid.paymentId)).to.equal("RJCT");
    expect(await now.signStateOf(paid)).to.equal("CLOSE");
    const late = await now.send("POST", signingOf(paid), REDIRECT);
    expect(JSON.parse(late.body).errors[0].error).to.equal("AUTH_LIMIT_EXCEEDED");
    tpp = now;
  });
});
