import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { takeDue } from "../../packages/resource/src/payments/execute-payment-postgres.ts";
import { createSignId } from "../../packages/resource/src/payments/payment-ids.ts";
import type { Lease } from "../../packages/resource/src/payments/payment-store.ts";
import { by, digestOf, later, sampleTerms } from "../resource/payments/sample-payments.ts";
import { expireOverdue, openPaymentProcesses, type PaymentProcesses } from "./payment-processes.ts";

const DAY = 24 * 60;
const COMPLETED = { outcome: "completed", entryReference: "E-1" } as const;
/** So long after the acceptance or the failure. */
const inMinutes = (minutes: number) => ({ afterMilliseconds: minutes * 60_000 });
const REJECTED = { outcome: "rejected", reason: "AM04" } as const;
/** So many days after today. */
const dayAfter = (days: number) => new Date(Date.now() + days * DAY * 60_000).toISOString().slice(0, 10);
/** By the clock of the database. */
const millisecondsSince = (minutes: number) => Date.now() - later(minutes).getTime();

describe("Payment store between approval and bank", () => {
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  after(() => processes.close());

  async function handOver(minutes = 1) {
    const approved = await processes.approve();
    const lease = await processes.lease(approved.terms, "hand_over");
    const handedOver = await processes.one.handOver(lease, by(minutes));
    expect(handedOver.result).to.equal("handed_over");
    return { ...approved, lease };
  }

  it("returns the approved order, and records the handover before it happens", async () => {
    const { terms, owned, signId } = await processes.approve();
    const lease = await processes.lease(terms, "hand_over");
    expect(lease).to.include({ paymentId: terms.id, state: "approved", attempt: 1 });
    const outcome = await processes.other.handOver(lease, by(1));
    expect(outcome).to.have.nested.property("payment.approval.digest").that.deep.equals(terms.digest);
    expect(outcome).to.deep.nested.include({ "payment.order": terms.order, "payment.signId": signId });
    expect((await processes.one.find(owned))?.state).to.equal("handed_over");
    // The order is on its way: whoever comes with the same lease must look it up first.
    expect((await processes.one.handOver(lease, by(1))).result).to.equal("lost");
  });

  it("says whether a payment is instant, and takes no text in an order for its priority", async () => {
    const { order } = sampleTerms();
    const message = 'to "priority":"INST"';
    for (const [priority, isInstant] of [
      ["INST", true],
      ["NORM", false],
    ] as const) {
      const { instructionIdentification } = sampleTerms().order;
      const changed = { ...order, instructionIdentification, priority, unstructured: message };
      const { terms } = await processes.approve({ order: changed });
      expect(await processes.lease(terms, "hand_over")).to.include({ isInstant });
    }
  });

  it("completes a payment that the bank has accepted, with its entry", async () => {
    const { terms, owned, lease } = await handOver();
    expect(await processes.one.takeAcceptance(lease, inMinutes(10), by(2))).to.equal("moved");
    const input = { limit: 1_000, leaseMilliseconds: 60_000 };
    await processes.wait(9);
    expect(await processes.one.dueForSettlement(input)).to.deep.equal([]);
    const next = await processes.lease(terms, "settle", 1);
    const { id: paymentId, executionDate } = terms;
    const since = later(2);
    const isInstant = false;
    const { takenAt, ...told } = next;
    expect(told).to.deep.equal({
      paymentId,
      state: "accepted",
      since,
      attempt: 2,
      executionDate,
      isInstant,
    });
    expect(Math.abs(takenAt.getTime() - Date.now())).to.be.below(60_000);
    expect(await processes.one.takeSettlement(next, COMPLETED, by(11))).to.equal("moved");
    expect(await processes.one.find(owned)).to.include({
      state: "completed",
      entryReference: "E-1",
    });
    expect(await processes.outboxOf(terms)).to.equal(0);
    const moves = ["enter", "ask", "approve", "hand_over", "accept", "complete"];
    expect(await processes.movesOf(terms)).to.deep.equal(moves);
    expect((await processes.one.movesOf(terms.id)).at(-1)?.facts).to.deep.equal({ entryReference: "E-1" });
  });

  it("completes a payment whose acceptance was never heard of", async () => {
    const { owned, lease } = await handOver();
    expect(await processes.one.takeSettlement(lease, COMPLETED, by(2))).to.equal("moved");
    expect((await processes.one.find(owned))?.state).to.equal("completed");
  });

  it("rejects what the bank rejects, at once or later, with the bank's reason", async () => {
    const [now, after] = [await handOver(), await handOver()];
    await processes.one.takeSettlement(now.lease, REJECTED, by(2));
    await processes.one.takeAcceptance(after.lease, inMinutes(10), by(2));
    await processes.one.takeSettlement(await processes.lease(after.terms, "settle", 10), REJECTED, by(11));
    for (const { owned, terms } of [now, after]) {
      const payment = await processes.one.find(owned);
      expect(payment).to.have.nested.include({ "rejection.by": "bank", "rejection.reason": "AM04" });
      expect(await processes.outboxOf(terms)).to.equal(0);
      const last = (await processes.one.movesOf(terms.id)).at(-1);
      expect(last).to.include({ move: "reject", by: "bank", cause: "AM04", after: "rejected" });
    }
  });

  it("gives a payment to another caller when its lease is over, as one to look up first", async () => {
    const { terms, lease } = await handOver();
    const again = await processes.lease(terms, "hand_over", 3);
    expect(again).to.include({ paymentId: terms.id, state: "handed_over", attempt: 2 });
    expect(await processes.one.takeSettlement(lease, REJECTED, by(3))).to.equal("lost");
    expect(await processes.one.takeSettlement(lease, COMPLETED, by(3))).to.equal("lost");
    expect(await processes.one.takeAcceptance(lease, inMinutes(10), by(3))).to.equal("lost");
    expect(await processes.one.refuseLease(lease, by(3))).to.equal("lost");
    expect((await processes.one.handOver(lease, by(3))).result).to.equal("lost");
    expect((await processes.one.handOver(again, by(3))).result).to.equal("handed_over");
    expect(await processes.one.takeAcceptance(again, inMinutes(10), by(3))).to.equal("moved");
  });

  it("postpones a payment until later", async () => {
    const { terms, lease } = await handOver();
    await processes.one.postpone(lease, inMinutes(30));
    const input = { limit: 1_000, leaseMilliseconds: 60_000 };
    await processes.wait(29);
    const early = await processes.one.dueForHandOver(input);
    expect(early.map(({ paymentId }) => paymentId)).not.to.include(terms.id);
    expect(await processes.lease(terms, "hand_over", 1)).to.include({ attempt: 2 });
  });

  it("postpones nothing that another caller has taken meanwhile", async () => {
    const { terms, lease } = await handOver();
    await processes.lease(terms, "hand_over", 3);
    await processes.one.postpone(lease, inMinutes(0));
    const due = await processes.one.dueForHandOver({ limit: 1_000, leaseMilliseconds: 60_000 });
    expect(due.map(({ paymentId }) => paymentId)).not.to.include(terms.id);
  });

  it("gives out first the payments that have been due for longest", async () => {
    await processes.empty();
    const dueSince: string[] = [];
    for (const minutes of [3, 2, 1]) {
      const { terms } = await processes.approve();
      const lease = await processes.lease(terms, "hand_over");
      await processes.one.postpone(lease, inMinutes(minutes));
      dueSince.unshift(terms.id);
    }
    await processes.wait(4);
    const taken: Lease[] = [];
    await processes.database.transaction(async (queries) => {
      // By their index they would come in this order anyway; whether it is used, PostgreSQL decides.
      for (const setting of [
        "plan_cache_mode = force_custom_plan",
        "enable_indexscan = off",
        "enable_bitmapscan = off",
      ])
        await queries.run({ name: "", text: `SET LOCAL ${setting}`, values: [] });
      const terms = { limit: 1, leaseMilliseconds: 60_000 };
      for (let turn = 0; turn < dueSince.length; turn += 1)
        taken.push(...(await takeDue(queries, { step: "hand_over", terms })));
    });
    expect(taken.map(({ paymentId }) => paymentId)).to.deep.equal(dueSince);
  });

  it("skips at once what somebody else is taking", async () => {
    await processes.empty();
    const [held, free] = [await processes.approve(), await processes.approve()];
    const due = await processes.database.transaction(async (queries) => {
      const text = "SELECT FROM payment_outbox WHERE payment_id = $1 FOR UPDATE";
      await queries.run({ name: "", text, values: [held.terms.id] });
      const taking = processes.other.dueForHandOver({ limit: 2, leaseMilliseconds: 60_000 });
      return Promise.race([taking, delay(5_000, undefined, { ref: false })]);
    });
    expect(due?.map(({ paymentId }) => paymentId)).to.deep.equal([free.terms.id]);
  });

  it("keeps the place of a payment approved after it was taken for an unapproved one", async () => {
    const { terms } = await processes.approve();
    const lease = await processes.lease(terms, "hand_over");
    expect(await processes.one.refuseLease(lease, by(1))).to.equal("lost");
    expect(await processes.outboxOf(terms)).to.equal(1);
    expect(await processes.movesOf(terms)).to.deep.equal(["enter", "ask", "approve"]);
  });

  it("records who removed the place of an unapproved payment, as for every move", async () => {
    const { terms } = await processes.enter();
    const plant = "INSERT INTO payment_outbox (payment_id, step, due_at) VALUES ($1, 'hand_over', $2)";
    await processes.database.run({ name: "", text: plant, values: [terms.id, later(0)] });
    const lease = await processes.lease(terms, "hand_over");
    expect(await processes.one.refuseLease(lease, { ...by(1), requestId: "request-7" })).to.equal("refused");
    expect(await processes.outboxOf(terms)).to.equal(0);
    expect((await processes.one.movesOf(terms.id)).at(-1)).to.deep.equal({
      number: 2,
      move: "refuse_execution",
      at: later(1),
      by: "server",
      cause: "not_approved",
      facts: {},
      requestId: "request-7",
      before: "entered",
      after: "entered",
    });
  });

  it("does not leave a payment to a time that only a clock ahead can have written", async () => {
    await processes.empty();
    const { terms } = await processes.approve();
    const input = { limit: 1_000, leaseMilliseconds: 90_000 };
    await processes.one.dueForHandOver(input);
    await processes.one.restorePlaces(100, by(3));
    expect(await processes.one.dueForHandOver(input), "the longest lease is no fault").to.deep.equal([]);
    await processes.wait(-11);
    await processes.one.restorePlaces(100, by(3));
    expect(await processes.one.dueForHandOver(input), "its order may be on its way").to.deep.equal([]);
    expect(await processes.lease(terms, "hand_over", 2)).to.include({ attempt: 2 });
  });

  it("does not leave the hand-over of a payment with a future execution day to such a time either", async () => {
    await processes.empty();
    const { terms } = await processes.approve({ executionDate: dayAfter(3) });
    await processes.lease(terms, "hand_over");
    await processes.wait(-11);
    await processes.one.restorePlaces(100, by(3));
    expect(await processes.lease(terms, "hand_over", 2)).to.include({ attempt: 2 });
  });

  it("leaves an accepted payment with a future execution day until that day", async () => {
    const executionDate = dayAfter(3);
    const { terms } = await processes.approve({ executionDate });
    const lease = await processes.lease(terms, "hand_over");
    await processes.one.handOver(lease, by(1));
    await processes.one.takeAcceptance(
      lease,
      { afterMilliseconds: 0, notBefore: new Date(executionDate) },
      by(2),
    );
    await processes.one.restorePlaces(1_000, by(3));
    const due = await processes.one.dueForSettlement({ limit: 1_000, leaseMilliseconds: 60_000 });
    expect(due.map(({ paymentId }) => paymentId)).not.to.include(terms.id);
  });

  it("resumes following an accepted payment whose place somebody has deleted", async () => {
    const { terms, lease } = await handOver();
    await processes.one.takeAcceptance(lease, inMinutes(10), by(2));
    const text = "DELETE FROM payment_outbox WHERE payment_id = $1";
    await processes.database.run({ name: "lose-place", text, values: [terms.id] });
    expect((await processes.one.restorePlaces(1_000, by(3))).restored).to.include(terms.id);
    expect(await processes.lease(terms, "settle", 3)).to.include({ state: "accepted", attempt: 2 });
  });

  it("does not complete what was never handed over", async () => {
    const { terms, owned } = await processes.approve();
    const lease = await processes.lease(terms, "hand_over");
    expect(await processes.one.takeSettlement(lease, COMPLETED, by(1))).to.equal("lost");
    expect(await processes.one.takeAcceptance(lease, inMinutes(10), by(1))).to.equal("lost");
    expect((await processes.one.find(owned))?.state).to.equal("approved");
    expect(await processes.outboxOf(terms)).to.equal(1);
  });

  it("deletes what ended long ago, with its record, and nothing else", async () => {
    const { terms: unfinished } = await handOver();
    const { terms, owned, lease } = await handOver();
    await processes.one.takeSettlement(lease, COMPLETED, by(2));
    const forget = (minutes: number) =>
      processes.one.forgetOld({
        finishedMilliseconds: millisecondsSince(minutes),
        keysMilliseconds: millisecondsSince(-DAY),
        limit: 1_000,
      });
    await forget(1);
    expect(await processes.one.find(owned)).to.have.property("state", "completed");
    expect(await forget(3)).to.be.at.least(1);
    expect(await processes.one.find(owned)).to.equal(undefined);
    expect(await processes.movesOf(terms)).to.deep.equal([]);
    expect(await processes.movesOf(unfinished)).to.have.length(4);
    await processes.enter({ order: terms.order });
  });

  it("deletes what ended in any way, and nothing that may still be executed, however old", async () => {
    const expired = await processes.enter({ expiresAt: later(1) });
    expect((await expireOverdue(processes.one, 1_000, by(2))).ended).to.include(expired.terms.id);
    const deleted = await processes.enter();
    await processes.one.delete(deleted.owned, by(2));
    const rejected = await handOver();
    await processes.one.takeSettlement(rejected.lease, REJECTED, by(2));
    const waiting = await handOver();
    await processes.one.takeAcceptance(waiting.lease, inMinutes(10), by(2));
    const unfinished = [
      await processes.enter(),
      await processes.ask(),
      await processes.approve(),
      await handOver(),
      waiting,
    ];
    await processes.one.forgetOld({ finishedMilliseconds: 0, keysMilliseconds: DAY * 60_000, limit: 1_000 });
    for (const { terms } of [expired, deleted, rejected])
      expect(await processes.movesOf(terms)).to.deep.equal([]);
    for (const { terms } of unfinished) expect(await processes.movesOf(terms)).to.not.be.empty;
  });

  it("skips what somebody else holds when it deletes", async () => {
    const [held, free] = [await processes.enter(), await processes.enter()];
    for (const { owned } of [held, free]) await processes.one.delete(owned, by());
    await processes.database.transaction(async (queries) => {
      const text = "SELECT FROM payment WHERE payment_id = $1 FOR UPDATE";
      await queries.run({ name: "", text, values: [held.terms.id] });
      await processes.other.forgetOld({
        finishedMilliseconds: 0,
        keysMilliseconds: DAY * 60_000,
        limit: 1_000,
      });
    });
    expect(await processes.movesOf(held.terms)).to.deep.equal(["enter", "delete"]);
    expect(await processes.movesOf(free.terms)).to.deep.equal([]);
  });

  it("deletes idempotency keys after their day", async () => {
    const entry = { signId: createSignId(), idempotency: { key: "old", bodyHash: digestOf("body") } };
    await processes.one.enter(sampleTerms(), entry, by());
    const forget = (minutes: number) =>
      processes.one.forgetOld({
        finishedMilliseconds: millisecondsSince(-DAY),
        keysMilliseconds: millisecondsSince(minutes),
        limit: 1_000,
      });
    expect(await forget(-1)).to.equal(0);
    expect(await forget(1)).to.equal(1);
  });

  it("expires no payment early for a process whose clock is ahead", async () => {
    const { terms } = await processes.enter({ expiresAt: new Date(Date.now() + 30 * 60_000) });
    const ahead = { now: new Date(Date.now() + DAY * 60_000), requestId: undefined };
    await expireOverdue(processes.one, 1_000, ahead);
    expect(await processes.movesOf(terms)).to.deep.equal(["enter"]);
  });

  it("is not held up by payments known to auth when it expires unsigned ones", async () => {
    await processes.ask({ expiresAt: later(1) });
    const { terms } = await processes.enter({ expiresAt: later(2) });
    expect((await expireOverdue(processes.one, 1, by(2))).ended).to.deep.equal([terms.id]);
  });

  it("expires the other unsigned payments although one cannot be, which is reported", async () => {
    const [stuck, other] = [
      await processes.enter({ expiresAt: later(-8) }),
      await processes.enter({ expiresAt: later(-7) }),
    ];
    const run = (text: string) => processes.database.run({ name: "", text, values: [] });
    await run(
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$",
    );
    await run(`CREATE TRIGGER stuck BEFORE UPDATE ON payment FOR EACH ROW
      WHEN (OLD.payment_id = '${stuck.terms.id}') EXECUTE FUNCTION refuse()`);
    const { ended, failures } = await expireOverdue(processes.one, 1_000, by(-7));
    await run("DROP FUNCTION refuse CASCADE");
    expect(failures).to.have.nested.property("[0].message", "refused");
    expect(failures).to.have.length(1);
    expect(ended).to.deep.equal([other.terms.id]);
    expect(await processes.movesOf(other.terms)).to.deep.equal(["enter", "expire"]);
    expect((await expireOverdue(processes.one, 1_000, by(-7))).ended).to.deep.equal([stuck.terms.id]);
  });

  it("expires at most as many unsigned payments as it was asked to, the oldest first", async () => {
    const first = await processes.enter({ expiresAt: later(-10) });
    const second = await processes.enter({ expiresAt: later(-9) });
    const { ended, last } = await expireOverdue(processes.one, 1, by(-9));
    expect(ended).to.deep.equal([first.terms.id]);
    expect(last).to.deep.equal({ expiresAt: first.terms.expiresAt, paymentId: first.terms.id });
    expect(await processes.movesOf(first.terms)).to.deep.equal(["enter", "expire"]);
    expect(await processes.movesOf(second.terms)).to.deep.equal(["enter"]);
  });

  it("continues behind a given place, also among payments of one moment, until no unsigned ones are left", async () => {
    await processes.empty();
    const expiresAt = later(-10);
    const entered = await Promise.all(Array.from({ length: 3 }, () => processes.enter({ expiresAt })));
    const [first, ...behind] = entered.map(({ terms }) => terms.id).sort();
    const after = first && { expiresAt, paymentId: first };
    const { ended, last } = await expireOverdue(processes.one, 2, by(-10), after);
    expect(ended).to.deep.equal(behind);
    const none = { ended: [], failures: [], last: undefined };
    expect(await expireOverdue(processes.one, 2, by(-10), last)).to.deep.equal(none);
    const rest = await expireOverdue(processes.one, 2, by(-10));
    expect(rest).to.deep.equal({ ...none, ended: [first] });
  });
});
