import { expect } from "chai";
import { createSignId } from "../../packages/resource/src/payments/payment-ids.ts";
import type { PaymentStore } from "../../packages/resource/src/payments/payment-store.ts";
import { createPaymentStore } from "../../packages/resource/src/payments/payment-store-postgres.ts";
import {
  approvalNamed,
  approvalOf,
  by,
  digestOf,
  LIFETIME,
  requestNamed,
  sampleTerms,
} from "../resource/payments/sample-payments.ts";
import { expireOverdue, openPaymentProcesses, ownedOf, type PaymentProcesses } from "./payment-processes.ts";

/** How often each result came. */
function count(outcomes: readonly { readonly result: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { result } of outcomes) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

type Asked = Awaited<ReturnType<PaymentProcesses["ask"]>>;

describe("Payment store, for fifty callers at once in two processes,", () => {
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  after(() => processes.close());

  async function keptOf(instruction: string): Promise<number> {
    const text = "SELECT FROM payment WHERE instruction_identification = $1";
    const kept = { name: "kept-of", text, values: [instruction] };
    return (await processes.database.run(kept)).length;
  }

  it("enters one instruction once, and names that payment to the others (AM05, PAY-01)", async () => {
    const { order } = sampleTerms();
    const outcomes = await processes.fifty((store) =>
      store.enter(sampleTerms({ order }), { signId: createSignId(), idempotency: undefined }, by()),
    );
    expect(count(outcomes)).to.deep.equal({ entered: 1, duplicate: 49 });
    const ids = outcomes.map((each) =>
      "payment" in each ? each.payment.id : "paymentId" in each && each.paymentId,
    );
    expect(new Set(ids).size).to.equal(1);
    expect(await keptOf(order.instructionIdentification)).to.equal(1);
  });

  it("enters fifty instructions once each that reach two processes in opposite orders", async () => {
    const orders = Array.from({ length: 50 }, () => sampleTerms().order);
    const enterAll = (store: PaymentStore, all: typeof orders) =>
      all.map((order) =>
        store.enter(sampleTerms({ order }), { signId: createSignId(), idempotency: undefined }, by()),
      );
    const reversed = [...orders].reverse();
    const entries = [...enterAll(processes.one, orders), ...enterAll(processes.other, reversed)];
    expect(count(await Promise.all(entries))).to.deep.equal({ entered: 50, duplicate: 50 });
    for (const { instructionIdentification } of orders)
      expect(await keptOf(instructionIdentification)).to.equal(1);
  });

  it("enters all others when one cannot be stored", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, place) => {
        const terms = sampleTerms(place === 25 ? { executionDate: "2026-02-30" } : {});
        return processes.one.enter(terms, { signId: createSignId(), idempotency: undefined }, by());
      }),
    );
    expect(outcomes.flatMap(({ status }, place) => (status === "rejected" ? [place] : []))).to.deep.equal([
      25,
    ]);
  });

  it("enters an instruction whose earlier payment is deleted at that moment", async () => {
    const { terms } = await processes.enter();
    await processes.one.delete(ownedOf(terms), by());
    const { database } = processes;
    const forgetting: typeof database = {
      ...database,
      run: async (statement) => {
        if (statement.name === "payment-find-instruction") await processes.forgetFinished();
        return database.run(statement);
      },
    };
    const again = sampleTerms({ order: terms.order });
    const entry = { signId: createSignId(), idempotency: undefined };
    const outcome = await createPaymentStore(forgetting).enter(again, entry, by());
    expect(outcome.result).to.equal("entered");
  });

  it("enters one key once, and answers all of them the same", async () => {
    const { order } = sampleTerms();
    const idempotency = { key: "race", bodyHash: digestOf("body") };
    const outcomes = await processes.fifty((store) =>
      store.enter(sampleTerms({ order }), { signId: createSignId(), idempotency }, by()),
    );
    expect(count(outcomes)).to.deep.equal({ entered: 1, replayed: 49 });
    const [first] = outcomes;
    for (const each of outcomes) expect({ ...each, result: "" }).to.deep.equal({ ...first, result: "" });
    expect(await keptOf(order.instructionIdentification)).to.equal(1);
  });

  it("enters the body that came first under a key, and refuses the other one", async () => {
    const orders = [sampleTerms().order, sampleTerms().order] as const;
    const outcomes = await processes.fifty((store, place) => {
      const order = orders[place % 2 ? 0 : 1];
      const idempotency = { key: "two-bodies", bodyHash: digestOf(order.instructionIdentification) };
      return store.enter(sampleTerms({ order }), { signId: createSignId(), idempotency }, by());
    });
    expect(count(outcomes)).to.deep.equal({ entered: 1, replayed: 24, key_reused: 25 });
    const kept = await Promise.all(orders.map((order) => keptOf(order.instructionIdentification)));
    expect(kept.toSorted()).to.deep.equal([0, 1]);
  });

  it("enters one instruction once under fifty keys, and leaves the other keys free", async () => {
    const { order } = sampleTerms();
    const keyOf = (place: number) => ({ key: `many-${place}`, bodyHash: digestOf("body") });
    const outcomes = await processes.fifty((store, place) =>
      store.enter(sampleTerms({ order }), { signId: createSignId(), idempotency: keyOf(place) }, by()),
    );
    expect(count(outcomes)).to.deep.equal({ entered: 1, duplicate: 49 });
    const text = "SELECT FROM idempotency_key WHERE key LIKE 'many-%'";
    expect(await processes.database.run({ name: "many-keys", text, values: [] })).to.have.length(1);
  });

  it("takes an approval once, and hands the payment to execution once", async () => {
    const { terms, requestId } = await processes.ask();
    const approval = approvalOf(terms.digest, requestId);
    const outcomes = await processes.fifty((store) => store.takeApproval(approval, by(1)));
    expect(count(outcomes)).to.deep.equal({ taken: 1, known: 49 });
    expect(await processes.outboxOf(terms)).to.equal(1);
    expect(await processes.movesOf(terms)).to.deep.equal(["enter", "ask", "approve"]);
  });

  it("takes an approval for one of fifty payments, and rejects the others (PAY-07)", async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => processes.ask()));
    const id = approvalNamed("A-for-all");
    const outcomes = await Promise.all(
      asked.map(({ terms, requestId }, place) =>
        (place % 2 ? processes.one : processes.other).takeApproval(
          approvalOf(terms.digest, requestId, { id }),
          by(1),
        ),
      ),
    );
    expect(count(outcomes)).to.deep.equal({ taken: 1, refused: 49 });
    const outbox = await Promise.all(asked.map(({ terms }) => processes.outboxOf(terms)));
    expect(outbox.filter((rows) => rows > 0)).to.have.length(1);
  });

  it("keeps one request at auth per attempt", async () => {
    const { terms, owned, signId } = await processes.enter();
    const outcomes = await processes.fifty((store, place) =>
      store.attachRequest(owned, { signId, requestId: requestNamed(`R${place}-${terms.id}`) }, by()),
    );
    expect(count(outcomes)).to.deep.equal({ done: 1, refused: 49 });
  });

  it("opens one new attempt", async () => {
    const { terms, owned, requestId } = await processes.ask();
    await processes.one.takeExpiry(requestId, by(1));
    const outcomes = await processes.fifty((store) => store.openSigning(owned, createSignId(), by(2)));
    expect(count(outcomes)).to.deep.equal({ done: 50 });
    expect((await processes.movesOf(terms)).filter((move) => move === "open_signing")).to.have.length(1);
  });

  it("deletes a payment once", async () => {
    const { terms, owned } = await processes.enter();
    const outcomes = await processes.fifty((store) => store.delete(owned, by()));
    expect(count(outcomes)).to.deep.equal({ deleted: 1, unknown: 49 });
    expect(await processes.movesOf(terms)).to.deep.equal(["enter", "delete"]);
  });

  /** One of both happened, and what is kept says which. */
  async function expectOneOutcome({ terms }: Asked, other: string): Promise<void> {
    const moves = await processes.movesOf(terms);
    const decided = moves.filter((move) => ["approve", other].includes(move));
    expect(decided, moves.join()).to.have.length(1);
    expect(await processes.outboxOf(terms)).to.equal(decided[0] === "approve" ? 1 : 0);
  }

  /** Fifty callers approve a payment, and end it as `other`, five times over. */
  async function race(
    other: string,
    act: (store: PaymentStore, place: number, asked: Asked) => Promise<unknown>,
  ): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      const asked = await processes.ask();
      await processes.fifty((store, place) => act(store, place, asked));
      await expectOneOutcome(asked, other);
    }
  }

  it("approves a payment or deletes it, even when auth's approval and cancellation both arrive", async () => {
    for (let round = 0; round < 5; round += 1) {
      const asked = await processes.ask();
      const { terms, owned, requestId } = asked;
      await processes.fifty(async (store, place) => {
        if (place % 3 === 0) return store.takeApproval(approvalOf(terms.digest, requestId), by(1));
        if (place % 3 === 1) return store.takeCancellation(requestId, by(1));
        return store.delete(owned, by(1));
      });
      // Whoever wanted to delete, and was told to ask auth first, tries again.
      await processes.one.delete(owned, by(1));
      await expectOneOutcome(asked, "delete");
    }
  });

  it("approves a payment or expires it", async () => {
    await race("expire", async (store, place, { terms, requestId }) => {
      if (place % 3 === 0) return store.takeApproval(approvalOf(terms.digest, requestId), by(LIFETIME));
      if (place % 3 === 1) return store.takeExpiry(requestId, by(LIFETIME));
      return expireOverdue(store, 100, by(LIFETIME));
    });
  });

  it("approves a payment or rejects it", async () => {
    await race("refuse", async (store, place, { terms, requestId }) =>
      place % 2
        ? store.takeApproval(approvalOf(terms.digest, requestId), by(1))
        : store.takeRefusal(requestId, "declined", by(1)),
    );
  });

  it("approves a payment or ends it with its consent", async () => {
    await race("end_consent", async (store, place, { terms, requestId }) =>
      place % 2
        ? store.takeApproval(approvalOf(terms.digest, requestId), by(1))
        : store.takeConsentEnd(requestId, by(1)),
    );
  });

  it("gives each due payment to one caller", async () => {
    const approved = await Promise.all(Array.from({ length: 20 }, () => processes.approve()));
    const input = { limit: 3, leaseMilliseconds: 60_000 };
    const taken = (await processes.fifty((store) => store.dueForHandOver(input))).flat();
    const ids = approved.map(({ terms }) => terms.id);
    expect(taken.map(({ paymentId }) => paymentId).filter((id) => ids.includes(id))).to.have.members(ids);
  });

  it("hands a payment over once per lease", async () => {
    const { terms } = await processes.approve();
    const lease = await processes.lease(terms, "hand_over", 2);
    const outcomes = await processes.fifty((store) => store.handOver(lease, by(2)));
    expect(count(outcomes)).to.deep.equal({ handed_over: 1, lost: 49 });
    expect((await processes.movesOf(terms)).filter((move) => move === "hand_over")).to.have.length(1);
  });

  it("settles a payment once", async () => {
    const { terms } = await processes.approve();
    const lease = await processes.lease(terms, "hand_over", 2);
    await processes.one.handOver(lease, by(2));
    const settle = async (place: number) =>
      place % 2
        ? ({ outcome: "completed", entryReference: "E-1" } as const)
        : ({ outcome: "rejected", reason: "AM04" } as const);
    const outcomes = await processes.fifty(async (store, place) => ({
      result: await store.takeSettlement(lease, await settle(place), by(3)),
    }));
    expect(count(outcomes)).to.deep.equal({ moved: 1, lost: 49 });
    expect(await processes.outboxOf(terms)).to.equal(0);
  });

  it("records once that a payment expired without an approval", async () => {
    const entered = await Promise.all(Array.from({ length: 20 }, () => processes.enter()));
    const batches = await processes.fifty((store) => expireOverdue(store, 100, by(LIFETIME)));
    const ended = batches.flatMap((batch) => batch.ended);
    const ids = entered.map(({ terms }) => terms.id);
    expect(ended.filter((id) => ids.includes(id))).to.have.members(ids);
    for (const { terms } of entered)
      expect(await processes.movesOf(terms)).to.deep.equal(["enter", "expire"]);
  });

  it("still finds each payment by its owner afterwards", async () => {
    const { terms } = await processes.enter();
    const found = await processes.fifty((store) => store.find(ownedOf(terms)));
    expect(found.every((payment) => payment?.id === terms.id)).to.equal(true);
  });
});
