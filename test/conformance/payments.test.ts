import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { Client } from "pg";
import { runSql } from "../journeys/run-sql.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import { MANY } from "../resource/small-bank.ts";
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

  const rows = (text: string, values: readonly unknown[] = []) =>
    runSql(resource.environment.DATABASE_URL ?? "", text, values);

  /** Bookings never change the total amount of money in any currency. */
  async function expectBalancedLedgers(): Promise<void> {
    const sums = "SELECT currency FROM sandbox_ledger GROUP BY currency HAVING sum(balance) <> 0";
    expect(await rows(sums)).to.deep.equal([]);
  }

  const dayInPrague = (at: Date) => at.toLocaleDateString("sv-SE", { timeZone: "Europe/Prague" });
  const hourInPrague = (at: Date) =>
    Number(at.toLocaleTimeString("en-GB", { timeZone: "Europe/Prague", hour: "2-digit" }));
  const pathOf = ({ paymentId }: { readonly paymentId: string }) => `${PAYMENTS}/${paymentId}`;

  it("are entered, approved by their PSU and executed, and tell their state at each step (COBS 3.2.4 to 3.2.11)", async () => {
    const paid = await tpp.start();
    const document = JSON.parse(paid.answer.body);
    expect(document).to.include({ transactionIdentification: paid.paymentId, instructionStatus: "ACTC" });
    expect(document.signInfo).to.deep.equal({ state: "OPEN", signId: paid.signId });
    expect(await tpp.statusOf(paid.paymentId)).to.equal("ACTC");
    resource.auth.signing.approve(paid.request.id);
    await tpp.untilStatus(paid.paymentId, "ACSC");
    expect(await tpp.signStateOf(paid)).to.equal("DONE");
    const detail = JSON.parse((await tpp.call({ path: pathOf(paid) })).body);
    const signInfo = { state: "DONE", signId: paid.signId };
    expect(detail).to.deep.equal({ ...document, signInfo, instructionStatus: "ACSC" });
  });

  it("echo every digit of the largest amount (A-70)", async () => {
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
    it("fifty times at once under one idempotency key are one, with the same answer (PAY-01, PAY-04)", async () => {
      const [order, headers] = [tpp.order(), { "idempotency-key": "key-1" }];
      const calls = Array.from({ length: 50 }, () => tpp.send("POST", PAYMENTS, order, { headers }));
      const answers = await Promise.all(calls);
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map(({ body }) => body)).size).to.equal(1);
    });

    it("fifty times at once without a key are one, which the other answers name (AM05, A-62)", async () => {
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

    it("by another TPP are other payments", async () => {
      const other = await openPayingTpp(resource, "second-tpp");
      const order = tpp.order();
      const headers = { "idempotency-key": "key-3" };
      const answers = [tpp, other].map((each) => each.send("POST", PAYMENTS, order, { headers }));
      const ids = (await Promise.all(answers)).map(({ body }) => JSON.parse(body).transactionIdentification);
      expect(new Set(ids).size).to.equal(2);
    });
  });

  it("are found without /my and with a slash at the end, under the same rules (A-45)", async () => {
    const paid = await tpp.pay();
    const short = `/cobs/2.0/payments/${paid.paymentId}`;
    const sign = `${short}/sign/${paid.signId}`;
    for (const path of [short, `${short}/`, `${pathOf(paid)}/`]) {
      const detail = await tpp.call({ path });
      expect([detail.status, detail.body]).to.deep.equal([
        200,
        (await tpp.call({ path: pathOf(paid) })).body,
      ]);
      expect((await resource.call({ path, certificate: "aisp-pisp" })).status, "without a token").to.equal(
        401,
      );
    }
    expect((await tpp.call({ path: `${sign}/` })).status).to.equal(200);
    expect((await tpp.send("POST", sign, REDIRECT)).status).to.equal(200);
    expect((await tpp.send("PUT", `${sign}/`, REDIRECT)).status).to.equal(200);
    expect((await tpp.call({ method: "DELETE", path: short })).status).to.equal(200);
    expect((await tpp.call({ path: short })).status).to.equal(404);
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

    it("pass their caller's trace on to auth, when their approval is started and when it is ended", async () => {
      const paid = await tpp.pay();
      const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
      const traced = () =>
        resource.auth.signingHeaders.filter((each) => each.traceparent === headers.traceparent);
      await tpp.send("POST", signingOf(paid), REDIRECT, { headers });
      expect(traced()).to.have.length(1);
      await tpp.call({ method: "DELETE", path: pathOf(paid), headers });
      expect(traced()).to.have.length(2);
    });

    it("are executed if their PSU approved first, before resource has heard of it (A-64)", async () => {
      const paid = await tpp.start();
      resource.auth.signing.tells = false;
      resource.auth.signing.approve(paid.request.id);
      resource.auth.signing.tells = true;
      const answer = await tpp.call({ method: "DELETE", path: pathOf(paid) });
      expect(answer.status).to.equal(404);
      await tpp.untilStatus(paid.paymentId, "ACSC");
    });

    it("stay if auth cannot be asked, and can be deleted afterwards", async () => {
      const paid = await tpp.start();
      const { signing } = resource.auth;
      signing.write = () => undefined;
      const silent = await tpp.call({ method: "DELETE", path: pathOf(paid) });
      signing.write = (answer) => answer;
      expect([silent.status, silent.headers["retry-after"]]).to.deep.equal([503, "2"]);
      expect((await tpp.call({ method: "DELETE", path: pathOf(paid) })).status).to.equal(200);
    });

    it("are either approved or deleted if both happen at once, fifty at once", async () => {
      const all: Awaited<ReturnType<PayingTpp["start"]>>[] = [];
      while (all.length < 50) all.push(await tpp.start());
      const deletions = all.map(async (paid, place) => {
        const deletion = tpp.call({ method: "DELETE", path: pathOf(paid) });
        await (place % 5 === 0 ? deletion : delay(place));
        if (paid.request.told.state === "waiting") resource.auth.signing.approve(paid.request.id);
        return deletion;
      });
      const statuses = (await Promise.all(deletions)).map(({ status }) => status);
      const expected = all.map(({ request }) => (request.told.state === "approved" ? 404 : 200));
      expect(statuses).to.deep.equal(expected);
      expect(new Set(expected)).to.deep.equal(new Set([404, 200]));
      for (const { request, paymentId } of all) {
        const end = request.told.state === "approved" ? "ACSC" : "404";
        await tpp.untilStatus(paymentId, end);
      }
      const approved = all.filter(({ request }) => request.told.state === "approved");
      const ids = all.map(({ paymentId }) => paymentId);
      const ordered = await rows("SELECT payment_id FROM sandbox_order WHERE payment_id = ANY ($1)", [ids]);
      expect(ordered.map((row) => Object(row).payment_id)).to.have.members(
        approved.map(({ paymentId }) => paymentId),
      );
      await expectBalancedLedgers();
    });
  });

  describe("whose PSU", () => {
    it("refuses are rejected (COBS 3.2.5)", async () => {
      const paid = await tpp.start();
      resource.auth.signing.refuse(paid.request.id);
      await tpp.untilStatus(paid.paymentId, "RJCT");
      expect(await tpp.signStateOf(paid)).to.equal("REJECT");
    });

    it("pays a charge have it in the order that is approved (RTS Article 5)", async () => {
      const [free, charged] = [
        await tpp.start({ paymentTypeInformation: { instructionPriority: "NORM" } }),
        await tpp.start({ paymentTypeInformation: { instructionPriority: "HIGH" } }),
      ].map(({ request }) => JSON.parse(request.asked.order ?? ""));
      expect(charged).to.include({ fee: "100.00", feeCurrency: "CZK" });
      expect(free).not.to.have.any.keys("fee", "feeCurrency");
    });

    it("is sent to auth again keep their page, and return to the address named last (A-51)", async () => {
      const paid = await tpp.start();
      const [redirectUrl] = resource.auth.signing.registered;
      for (const query of ["?attempt=1", "?attempt=2"]) {
        const step = { ...REDIRECT, redirectUrl: `${redirectUrl}${query}` };
        const { status, body } = await tpp.send("POST", signingOf(paid), step);
        expect([status, JSON.parse(body).href?.url.split("/").at(-1)]).to.deep.equal([200, paid.request.id]);
        expect(paid.request.returnUrl).to.equal(step.redirectUrl);
      }
    });

    it("lets the time pass can get a new authorization (COBS 3.2.8)", async () => {
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
      const wrong = /approval\.digest is not that of the request/;
      await eventually(() => resource.logLines.some(({ error }) => wrong.test(JSON.stringify(error))));
      expect(await tpp.statusOf(paid.paymentId)).to.equal("ACTC");
    });

    it("approves an order that was changed at auth are rejected, and their record says so (PAY-05)", async () => {
      const paid = await tpp.start();
      // Auth shows the PSU, and computes the digest from, what its row holds.
      const digest = Buffer.alloc(32, 9).toString("base64url");
      Object.assign(paid.request, { digest });
      resource.auth.signing.approve(paid.request.id);
      await tpp.untilStatus(paid.paymentId, "RJCT");
      expect(await tpp.signStateOf(paid)).to.equal("CLOSE");
      const { moves } = JSON.parse((await resource.askBank(`/operator/payments/${paid.paymentId}`)).body);
      expect(moves.at(-1)).to.include({ move: "refuse_approval", cause: "digest_mismatch" });
      expect(moves.at(-1).facts).to.include({ approvedDigest: digest });
    });

    it("approves are executed once, however often auth reports it", async () => {
      const paid = await tpp.start();
      resource.auth.signing.approve(paid.request.id);
      for (let time = 0; time < 50; time += 1) resource.auth.feed.tell("signing_approved", paid.request.id);
      await tpp.untilStatus(paid.paymentId, "ACSC");
      const token = resource.giveToken();
      const path = "/cobs/2.0/my/accounts/psu-many-01/transactions?size=100";
      const { transactions } = JSON.parse((await resource.call({ token, path })).body);
      const booked = JSON.stringify(transactions).split(paid.paymentId).length - 1;
      const { instructionIdentification } = JSON.parse(paid.answer.body).paymentIdentification;
      const named = JSON.stringify(transactions).split(instructionIdentification).length - 1;
      expect(Math.max(booked, named)).to.equal(1);
    });

    it("approved while auth's message was lost are executed all the same", async () => {
      const paid = await tpp.start();
      resource.auth.signing.tells = false;
      resource.auth.signing.approve(paid.request.id);
      resource.auth.signing.tells = true;
      resource.clock.advance(60_000);
      await tpp.untilStatus(paid.paymentId, "ACSC");
    });
  });

  it("show the bank their TPP, consent and every move with time and cause, but not their content", async () => {
    const paid = await tpp.start();
    resource.auth.signing.refuse(paid.request.id);
    await tpp.untilStatus(paid.paymentId, "RJCT");
    const told = await resource.askBank(`/operator/payments/${paid.paymentId}`);
    const { state, moves, ...initiator } = JSON.parse(told.body);
    expect([told.status, state]).to.deep.equal([200, "rejected"]);
    expect(resource.lastCall(), "who has looked").to.include({
      operator: "operator",
      paymentId: paid.paymentId,
    });
    const { organisationIdentifier } = resource.tpp("aisp-pisp");
    expect(initiator).to.include({ paymentId: paid.paymentId, organisationIdentifier });
    expect(initiator).to.have.all.keys("paymentId", "organisationIdentifier", "applicationId", "consentId");
    expect(moves.map(({ move, by, cause }: Record<string, string>) => [move, by, cause])).to.deep.equal([
      ["enter", "tpp", null],
      ["ask", "tpp", null],
      ["refuse", "psu", "declined"],
    ]);
    for (const { at } of moves) expect(new Date(at).toISOString()).to.equal(at);
    expect(told.body).to.not.include(tpp.iban());
    for (const unknown of ["0".repeat(32), "x"])
      expect((await resource.askBank(`/operator/payments/${unknown}`)).status).to.equal(404);
    const { auth: caller } = resource.certificates.bank;
    expect((await resource.askBank(`/operator/payments/${paid.paymentId}`, { caller })).status).to.equal(403);
  });

  describe("whose consent ends", () => {
    let own: PayingTpp;
    let clientId: string;
    beforeEach(async () => {
      clientId = `application-${randomUUID()}`;
      own = await openPayingTpp(resource, "aisp-pisp", { client_id: clientId });
    });
    const RJCT = async ({ paymentId }: { readonly paymentId: string }) =>
      (await own.statusOf(paymentId)) === "RJCT";

    it("before the PSU's approval are rejected, whether or not the PSU was asked (PAY-14)", async () => {
      const waiting = [await own.pay(), await own.start()];
      const [, asked] = waiting;
      const elsewhere = await tpp.start();
      resource.auth.signing.endConsent(clientId, MANY);
      for (const paid of waiting) {
        await own.untilStatus(paid.paymentId, "RJCT");
        expect(await own.signStateOf(paid)).to.equal("CLOSE");
      }
      const late = await own.send("POST", signingOf(asked ?? elsewhere), REDIRECT);
      expect(JSON.parse(late.body).errors[0].error).to.equal("AUTH_LIMIT_EXCEEDED");
      expect(await tpp.statusOf(elsewhere.paymentId)).to.equal("ACTC");
    });

    it("after the PSU's approval are executed (PSD2 Article 80(2))", async () => {
      const paid = await own.start();
      resource.auth.signing.tells = false;
      resource.auth.signing.approve(paid.request.id);
      resource.auth.signing.tells = true;
      resource.auth.signing.endConsent(clientId, MANY);
      await own.untilStatus(paid.paymentId, "ACSC");
    });

    it("are rejected if the TPP or the PSU was blocked, or the application deleted", async () => {
      const events = [
        ["psu_blocked", MANY],
        ["application", clientId],
        ["tpp_blocked", resource.tpp("aisp-pisp").organisationIdentifier],
      ] as const;
      resource.auth.signing.tells = false;
      for (const [kind, key] of events) {
        const id = `${clientId}-${kind}`;
        const there = await openPayingTpp(resource, "aisp-pisp", { client_id: id });
        const paid = await there.pay();
        resource.auth.signing.endConsent(id, MANY);
        resource.auth.feed.tell(kind, kind === "application" ? id : key);
        if (kind === "tpp_blocked") resource.auth.feed.tell("tpp_released", key);
        await own.untilStatus(paid.paymentId, "RJCT");
      }
      resource.auth.signing.tells = true;
    });

    it("are rejected also if resource missed that event", async () => {
      const paid = await own.pay();
      resource.auth.signing.tells = false;
      resource.auth.signing.endConsent(clientId, MANY);
      resource.auth.signing.tells = true;
      expect(await own.statusOf(paid.paymentId)).to.equal("ACTC");
      resource.auth.feed.tell("token", "x");
      resource.auth.feed.forget();
      resource.auth.feed.tell("token", "y");
      await own.untilStatus(paid.paymentId, "RJCT");
    });

    it("cannot be given an authorization that auth no longer accepts", async () => {
      const paid = await own.pay();
      const { signing } = resource.auth;
      signing.tells = false;
      signing.endConsent(clientId, MANY);
      signing.tells = true;
      const answer = await own.send("POST", signingOf(paid), REDIRECT);
      expect([answer.status, JSON.parse(answer.body).errors[0].error]).to.deep.equal([403, "FORBIDDEN"]);
    });

    it("while they are being entered are rejected as soon as they are there (PAY-14)", async () => {
      const before = await own.pay();
      const { organisationIdentifier } = resource.tpp("aisp-pisp");
      const holder = new Client({ connectionString: resource.environment.DATABASE_URL });
      await holder.connect();
      try {
        await holder.query("BEGIN");
        const hold = `INSERT INTO idempotency_key (organisation_identifier, key, body_hash, payment_id, created_at)
          VALUES ($1, $2, '', $3, now())`;
        await holder.query(hold, [organisationIdentifier, clientId.slice(0, 64), before.paymentId]);
        const headers = { "idempotency-key": clientId.slice(0, 64) };
        const entering = own.send("POST", PAYMENTS, own.order(), { headers });
        const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'transactionid'";
        await eventually(async () => (await rows(`${waiting} AND datname = current_database()`)).length > 0);
        resource.auth.signing.endConsent(clientId, MANY);
        await own.untilStatus(before.paymentId, "RJCT");
        await holder.query("ROLLBACK");
        const { status, body } = await entering;
        expect(status, body).to.equal(200);
        await own.untilStatus(JSON.parse(body).transactionIdentification, "RJCT");
      } finally {
        await holder.end();
      }
    });

    it("while auth cannot be asked are rejected once it can be again", async () => {
      const paid = await own.start();
      const { signing } = resource.auth;
      signing.write = () => undefined;
      signing.endConsent(clientId, MANY);
      await delay(300);
      expect(await own.statusOf(paid.paymentId)).to.equal("ACTC");
      signing.write = (answer) => answer;
      await eventually(() => {
        // Resource asks again a second later, by the server's clock.
        resource.clock.advance(250);
        return RJCT(paid);
      });
    });

    it("are either approved or ended if both happen at once, fifty times", async () => {
      const paid: Awaited<ReturnType<PayingTpp["start"]>>[] = [];
      while (paid.length < 50) paid.push(await own.start());
      const ends = paid.map(async ({ request, paymentId }, place) => {
        await delay(place);
        if (request.told.state === "waiting") resource.auth.signing.approve(request.id);
        return paymentId;
      });
      await delay(25);
      resource.auth.signing.endConsent(clientId, MANY);
      await Promise.all(ends);
      for (const { request, paymentId } of paid) {
        const end = request.told.state === "approved" ? "ACSC" : "RJCT";
        await own.untilStatus(paymentId, end);
      }
      const outcomes = new Set(paid.map(({ request }) => request.told.state));
      expect(outcomes).to.deep.equal(new Set(["approved", "cancelled"]));
    });
  });

  describe("for which there is not enough money", () => {
    it("are rejected when they are executed, and not before (COBS 3.2.5)", async () => {
      const paid = await tpp.start({
        debtorAccount: { identification: { iban: tpp.iban(EMPTY) } },
      });
      resource.auth.signing.approve(paid.request.id);
      await tpp.untilStatus(paid.paymentId, "RJCT");
      expect(await tpp.signStateOf(paid)).to.equal("DONE");
    });

    it("for both of two are executed once if both are approved at once (PAY-10)", async () => {
      const answer = await resource.call({ token: resource.giveToken(), path: balanceOf(HISTORY) });
      const { balances } = JSON.parse(answer.body);
      const available: number = balances[0].amount.value;
      const value = Math.floor(available * 0.6);
      const order = { amount: { instructedAmount: { value, currency: "CZK" } } };
      const both = [await tpp.start(order), await tpp.start(order)];
      for (const { request } of both) resource.auth.signing.approve(request.id);
      const statuses = async () => Promise.all(both.map(({ paymentId }) => tpp.statusOf(paymentId)));
      await tpp.until(async () => (await statuses()).sort().join() === "ACSC,RJCT");
      await expectBalancedLedgers();
    });
  });

  describe("of which auth knows more than a restored database", () => {
    /** What is over by both clocks: the server's stands still, and a busy machine's database leaves it behind. */
    const past = () => new Date(Math.min(Date.now(), resource.clock.now().getTime()));

    /** A payment that is approved at auth, but stored here as if its authorization had not begun. */
    async function approvedElsewhere() {
      const paid = await tpp.start();
      const { signing } = resource.auth;
      signing.tells = false;
      // Restores the payment as it was entered, before resource asks how that request stands.
      const text = `UPDATE payment SET signing_state = 'open', signing_request_id = NULL, look_up_at = NULL
        WHERE payment_id = $1`;
      await rows(text, [paid.paymentId]);
      signing.approve(paid.request.id, { approvedAt: new Date(past().getTime() - 1_000).toISOString() });
      signing.tells = true;
      return paid;
    }

    it("are executed when their time is over, and never shown as rejected", async () => {
      const paid = await approvedElsewhere();
      expect(await tpp.statusOf(paid.paymentId)).to.equal("ACTC");
      await rows("UPDATE payment SET expires_at = $2 WHERE payment_id = $1", [paid.paymentId, past()]);
      const seen = new Set<string>();
      await tpp.until(async () => {
        const status = await tpp.statusOf(paid.paymentId);
        seen.add(status);
        return status === "ACSC";
      });
      expect([...seen]).to.not.include("RJCT");
      expect(await tpp.signStateOf(paid)).to.equal("DONE");
    });

    it("are shown as signed to whoever starts their authorization (COBS 3.2.10)", async () => {
      const paid = await approvedElsewhere();
      const { status, body } = await tpp.send("POST", signingOf(paid), REDIRECT);
      expect(status, body).to.equal(200);
      const { href, signInfo } = JSON.parse(body);
      expect(signInfo).to.deep.equal({ state: "DONE", signId: paid.signId });
      expect(href.url).to.equal(`https://localhost:8443/sign/${paid.request.id}`);
      await tpp.untilStatus(paid.paymentId, "ACSC");
    });
  });

  // From here on the day may be over: the sandbox's bank has its own clock, and does not execute orders of a day that it has
  // not reached.
  describe("that nobody approves in time", () => {
    it("expire and are rejected (COBS 3.2.5)", async () => {
      const [paid, asked] = [await tpp.pay(), await tpp.start()];
      resource.clock.advance(31 * 60_000);
      const now = await openPayingTpp(resource);
      // Holds whether or not auth has said yet that the PSU can no longer approve it.
      const again = await now.send("POST", signingOf(asked), REDIRECT);
      expect(JSON.parse(again.body).errors[0].error).to.equal("AUTH_LIMIT_EXCEEDED");
      const late = await now.send("POST", signingOf(paid), REDIRECT);
      expect(JSON.parse(late.body).errors[0].error).to.equal("AUTH_LIMIT_EXCEEDED");
      // It is rejected once it has expired by the database's clock too, and auth has said that it does not have it.
      expect(await now.statusOf(paid.paymentId)).to.equal("ACTC");
      await rows("UPDATE payment SET expires_at = now() WHERE payment_id = $1", [paid.paymentId]);
      await now.untilStatus(paid.paymentId, "RJCT");
      expect(await now.signStateOf(paid)).to.equal("CLOSE");
      tpp = now;
    });
  });

  describe("entered again past midnight", () => {
    it("under one idempotency key get the first answer, though the requested day is over (PAY-01)", async () => {
      while (hourInPrague(resource.clock.now()) !== 20) resource.clock.advance(3_600_000);
      tpp = await openPayingTpp(resource);
      const order = tpp.order({ requestedExecutionDate: dayInPrague(resource.clock.now()) });
      const headers = { "idempotency-key": `night-${randomUUID()}` };
      const first = await tpp.send("POST", PAYMENTS, order, { headers });
      expect(first.status, first.body).to.equal(200);
      resource.clock.advance(6 * 3_600_000);
      tpp = await openPayingTpp(resource);
      const again = await tpp.send("POST", PAYMENTS, order, { headers });
      expect([again.status, again.body]).to.deep.equal([200, first.body]);
      const other = { ...order, requestedExecutionDate: dayInPrague(resource.clock.now()) };
      const reused = await tpp.send("POST", PAYMENTS, other, { headers });
      expect([reused.status, JSON.parse(reused.body).errors[0].error]).to.deep.equal([400, "FIELD_INVALID"]);
      resource.clock.advance(19 * 3_600_000);
      tpp = await openPayingTpp(resource);
      const nextDay = await tpp.send("POST", PAYMENTS, order, { headers });
      expect(JSON.parse(nextDay.body).errors[0].error).to.equal("DT01");
    });
  });
});
