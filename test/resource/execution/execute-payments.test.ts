import { setTimeout as delay } from "node:timers/promises";
import { bankDayOf, daysBefore, parseIban } from "@cobs/cobs-model";
import { type CountJob, type Database, repeat } from "@cobs/service-edge";
import { expect } from "chai";
import { CoreUnavailable } from "../../../packages/resource/src/bank/core-unavailable.ts";
import type { OrderBank, OrderToExecute } from "../../../packages/resource/src/bank/orders.ts";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { settleOrder } from "../../../packages/resource/src/bank/sandbox-orders/settle-orders-postgres.ts";
import { beginRechecks } from "../../../packages/resource/src/execution/recheck-rejections.ts";
import { startExecutingPayments } from "../../../packages/resource/src/execution/start-executing-payments.ts";
import { startRestoringPlaces } from "../../../packages/resource/src/execution/start-restoring-places.ts";
import { bytesOfOrder } from "../../../packages/resource/src/payments/order-bytes.ts";
import type { PaymentTerms } from "../../../packages/resource/src/payments/payment.ts";
import { createPaymentStore } from "../../../packages/resource/src/payments/payment-store-postgres.ts";
import { writeStoredOrder } from "../../../packages/resource/src/payments/stored-order.ts";
import { eventually } from "../../support/eventually.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../../support/movable-database-clock.ts";
import { startWaiting } from "../../support/stopwatch.ts";
import { openMigratedDatabase } from "../bank/migrated-database.ts";
import { CZK, type OrderScene, orderOf, setOrderScene, toIban } from "../bank/orders/order-bank.ts";
import {
  aheadClock,
  approvedPayment,
  enteredPayment,
  executeDuePayments,
  executingProcess,
  LONG,
  sandboxOf,
} from "./executing-scene.ts";

const stopMilliseconds = 60_000;

type BankHalf = Pick<OrderBank, "acceptOrder" | "progressOf">;

describe("the execution of approved payments", () => {
  let database: Database;
  let other: Database;
  let scene: OrderScene;
  let bank: OrderBank;
  let clock: ReturnType<typeof aheadClock>;
  let stored: DatabaseWithMovableClock;

  before(async () => {
    stored = await createDatabaseWithMovableClock();
    const { url } = stored;
    database = await openMigratedDatabase(url);
    other = await openMigratedDatabase(url);
    bank = openSandboxBank(database, 0);
  });
  beforeEach(async () => {
    scene = await setOrderScene(database);
    clock = aheadClock();
  });
  afterEach(async () => {
    await stored.setTo(new Date());
    for (const table of ["payment", "payment_outbox"]) await rows(`DELETE FROM ${table}`);
  });
  after(() => Promise.all([database.close(), other.close()]));

  const rows = <Row>(text: string, values: readonly unknown[] = []) =>
    database.run<Row>({ name: "", text, values });
  const stateOf = async ({ id, organisationIdentifier }: PaymentTerms) =>
    createPaymentStore(database).find({ id, organisationIdentifier });
  const nameOf = async (terms: PaymentTerms) => (await stateOf(terms))?.state;
  const debitsOf = async ({ id }: PaymentTerms) =>
    (await rows("SELECT FROM sandbox_entry WHERE booking_id = $1 AND account_id = $2", [id, scene.payer.id]))
      .length;
  const process = (half: BankHalf = bank) => executingProcess(database, { bank: half, clock });
  /** Until nothing is due for a long time; other processes of the bank settle what it has. */
  const untilEnded = async (terms: PaymentTerms, half: BankHalf = bank) => {
    const { parts } = process(half);
    for (let round = 0; round < 8; round += 1) {
      await executeDuePayments(parts);
      await settleOrder(database, terms.id);
      await passTime(LONG);
    }
  };

  /** Moves the clocks of the process and of the database. */
  const passTime = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await stored.setTo(clock.now());
  };

  /** A bank that takes orders, or those of one kind alone, only when it is told to answer. */
  function holdBank(isHeld: (order: OrderToExecute) => boolean = () => true) {
    let sent = 0;
    let answer: () => void = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const half: BankHalf = {
      ...bank,
      acceptOrder: async (order) => {
        sent += 1;
        if (isHeld(order)) await answering;
        return bank.acceptOrder(order);
      },
    };
    return { bank: half, sent: () => sent, answer };
  }

  it("hands a payment over, follows it and completes it", async () => {
    const terms = await approvedPayment(database, scene);
    const { parts, figures } = process();
    expect(await executeDuePayments(parts)).to.equal(1);
    expect(await nameOf(terms)).to.equal("accepted");
    expect(await executeDuePayments(parts)).to.equal(0);
    await settleOrder(database, terms.id);
    await passTime(LONG);
    await executeDuePayments(parts);
    expect(await stateOf(terms)).to.deep.include({ state: "completed", entryReference: terms.id });
    expect(await debitsOf(terms)).to.equal(1);
    const told = await figures();
    expect(told).to.match(/executions_total\{outcome="accepted",service="test"\} 1/);
    expect(told).to.match(/executions_total\{outcome="completed",service="test"\} 1/);
  });

  it("debits the charge that was approved", async () => {
    const terms = await approvedPayment(database, scene, { fee: { minor: 9_900n, currency: CZK } });
    await untilEnded(terms);
    expect(await nameOf(terms)).to.equal("completed");
    const text = `SELECT amount::text FROM sandbox_entry WHERE account_id = $1 AND amount < 0 ORDER BY sandbox_entry.amount`;
    expect(await rows(text, [scene.payer.id])).to.deep.equal([{ amount: "-100000" }, { amount: "-9900" }]);
  });

  it("completes an instant payment in two rounds without a pause", async () => {
    const terms = await approvedPayment(database, scene, { order: orderOf(scene, { priority: "INST" }) });
    const { parts } = process();
    await executeDuePayments(parts);
    await executeDuePayments(parts);
    expect(await nameOf(terms)).to.equal("completed");
  });

  it("asks soon about a payment that the bank took before an outage, however often it was tried", async () => {
    const terms = await approvedPayment(database, scene);
    const away = () => Promise.reject(new CoreUnavailable("core_timed_out", "away"));
    const lost = async (order: OrderToExecute) => {
      await bank.acceptOrder(order);
      return away();
    };
    const { parts } = process({ acceptOrder: lost, progressOf: away });
    for (let round = 0; round < 9; round += 1) {
      expect(await executeDuePayments(parts)).to.equal(1);
      await passTime(LONG);
    }
    await executeDuePayments(process().parts);
    expect(await nameOf(terms)).to.equal("accepted");
    const looks: number[] = [];
    for (let second = 1; second <= 12; second += 1) {
      await passTime(1_000);
      if ((await executeDuePayments(process().parts)) > 0) looks.push(second);
    }
    expect(looks[0], "as after any acceptance").to.equal(1);
    expect(looks).to.have.length.at.least(3);
  });

  it("waits for the day of a later payment", async () => {
    const executionDate = daysBefore(bankDayOf(new Date()), -3);
    const terms = await approvedPayment(database, scene, { executionDate });
    const { parts } = process();
    await executeDuePayments(parts);
    await passTime(LONG);
    expect(await executeDuePayments(parts)).to.equal(0);
    expect(await nameOf(terms)).to.equal("accepted");
  });

  it("rejects a payment that the bank rejects, and records why", async () => {
    const order = orderOf(scene, { amount: { minor: 10n ** 9n, currency: CZK } });
    const terms = await approvedPayment(database, scene, { order });
    const { parts, lines, figures } = process();
    await executeDuePayments(parts);
    const payment = await stateOf(terms);
    expect(payment?.state).to.equal("rejected");
    expect(payment).to.have.nested.property("rejection.reason", "funds_insufficient");
    expect(await figures()).to.match(/executions_total\{outcome="rejected",service="test"\} 1/);
    expect(lines, "of a reason that there is a word for").to.deep.equal([]);
  });

  it("rejects a payment that the bank rejects after accepting it", async () => {
    const terms = await approvedPayment(database, scene, { order: orderOf(scene, toIban(scene.payee.iban)) });
    const { parts } = process();
    await executeDuePayments(parts);
    await rows("UPDATE sandbox_account SET closed_at = now() WHERE account_id = $1", [scene.payee.id]);
    await settleOrder(database, terms.id);
    await passTime(LONG);
    await executeDuePayments(parts);
    expect(await stateOf(terms)).to.have.nested.property("rejection.reason", "creditor_closed");
  });

  it("logs the bank's own reason for rejecting an accepted payment", async () => {
    const terms = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    const { parts, lines } = process({
      ...bank,
      progressOf: async () => ({ state: "rejected", reason: "other", ownWord: "SANCTIONED" }),
    });
    await passTime(LONG);
    await executeDuePayments(parts);
    expect(await nameOf(terms)).to.equal("rejected");
    expect(lines.find(({ paymentId }) => paymentId === terms.id)).to.include({ ownWord: "SANCTIONED" });
  });

  it("logs the bank's own reason for an immediate rejection, and a digest mismatch as an error, which is counted", async () => {
    for (const [rejected, told, mismatched] of [
      [{ reason: "other", ownWord: "SANCTIONED" }, { ownWord: "SANCTIONED", level: 40 }, 0],
      [{ reason: "digest_mismatch" }, { level: 50 }, 1],
    ] as const) {
      const terms = await approvedPayment(database, scene);
      const acceptOrder = async () => ({ outcome: "rejected", ...rejected }) as const;
      const { parts, lines, figures } = process({ ...bank, acceptOrder });
      await executeDuePayments(parts);
      expect(await stateOf(terms)).to.have.nested.property("rejection.reason", rejected.reason);
      expect(lines.find(({ paymentId }) => paymentId === terms.id)).to.include(told);
      expect(await figures()).to.include(
        `executions_total{outcome="mismatched",service="test"} ${mismatched}\n`,
      );
    }
  });

  it("does not send a payment whose payee was changed after the approval", async () => {
    const terms = await approvedPayment(database, scene);
    const stolen = parseIban("CZ3099000000192000145399");
    await rows("UPDATE payment SET order_content = replace(order_content, $2, $3) WHERE payment_id = $1", [
      terms.id,
      "CZ6508000000192000145399",
      stolen,
    ]);
    const { parts, figures, lines } = process();
    await executeDuePayments(parts);
    expect(await stateOf(terms)).to.have.nested.property("rejection.reason", "digest_mismatch");
    expect(await bank.progressOf(terms.id)).to.deep.equal({ state: "unknown" });
    expect(await figures()).to.match(/outcome="refused",service="test"\} 1/);
    expect(lines.map(({ msg }) => msg)).to.include(
      "a payment differs from what was approved; it is not executed",
    );
  });

  it("refuses a payment changed along with its digests, and records the approved digest (PAY-05)", async () => {
    const terms = await approvedPayment(database, scene);
    const order = { ...terms.order, ...toIban(parseIban("CZ3099000000192000145399")) };
    const { orderText, digest } = bytesOfOrder({ ...terms, order });
    const change = `UPDATE payment SET order_content = $2, order_text = $3, digest = $4, approval_digest = $4
      WHERE payment_id = $1`;
    await rows(change, [terms.id, writeStoredOrder(order), orderText, digest]);
    const { parts, store } = process();
    await executeDuePayments(parts);
    expect(await bank.progressOf(terms.id)).to.deep.equal({ state: "unknown" });
    const moves = await store.movesOf(terms.id);
    expect(moves.at(-1)).to.deep.include({
      move: "refuse_execution",
      by: "server",
      cause: "digest_mismatch",
      after: "rejected",
    });
    const digests = moves.map(({ facts }) => facts.approvedDigest).filter((each) => each !== undefined);
    expect(digests).to.deep.equal([terms.digest.toString("base64url")]);
  });

  it("executes nothing that was put into the outbox by hand, and records the refusal (PAY-05)", async () => {
    const approved = await approvedPayment(database, scene);
    const entered = await enteredPayment(database, scene);
    const ended = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    await settleOrder(database, ended.id);
    await passTime(LONG);
    await executeDuePayments(process().parts);
    await rows("UPDATE payment_outbox SET payment_id = $2, due_at = now() WHERE payment_id = $1", [
      approved.id,
      entered.id,
    ]);
    const plant = "INSERT INTO payment_outbox (payment_id, step, due_at) VALUES ($1, 'hand_over', now())";
    await rows(plant, [ended.id]);
    const { parts, store, lines, figures } = process();
    await executeDuePayments(parts);
    expect(await bank.progressOf(entered.id)).to.deep.equal({ state: "unknown" });
    expect([await nameOf(entered), await nameOf(ended), await debitsOf(ended)]).to.deep.equal([
      ...["entered", "completed"],
      1,
    ]);
    for (const { id } of [entered, ended])
      expect((await store.movesOf(id)).at(-1)).to.include({
        move: "refuse_execution",
        cause: "not_approved",
      });
    const told = lines.filter(({ msg }) => /without an approval/.test(String(msg)));
    expect(told.map(({ paymentId }) => paymentId)).to.have.members([entered.id, ended.id]);
    expect(await figures()).to.match(/outcome="refused",service="test"\} 2/);
    await passTime(LONG);
    expect(await executeDuePayments(parts), "once").to.equal(0);
  });

  it("carries on with a payment whose outbox entry names the wrong step", async () => {
    const terms = await approvedPayment(database, scene);
    await rows("UPDATE payment_outbox SET step = 'settle' WHERE payment_id = $1", [terms.id]);
    const { parts } = process();
    await executeDuePayments(parts);
    expect(await nameOf(terms)).to.equal("accepted");
    await rows("UPDATE payment_outbox SET step = 'hand_over', due_at = now() WHERE payment_id = $1", [
      terms.id,
    ]);
    await settleOrder(database, terms.id);
    await passTime(LONG);
    await executeDuePayments(parts);
    expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
  });

  describe("after an outbox entry was deleted", () => {
    const restoring = { limit: 100, by: () => ({ now: clock.now(), requestId: undefined }) };
    const restore = async (of = process()) =>
      (await of.store.restorePlaces(restoring.limit, restoring.by())).restored;
    const losePlace = ({ id }: PaymentTerms) =>
      rows("DELETE FROM payment_outbox WHERE payment_id = $1", [id]);
    const counting = () => {
      const asked: string[] = [];
      const half: BankHalf = {
        acceptOrder: (order) => {
          asked.push("sent");
          return bank.acceptOrder(order);
        },
        progressOf: (id) => {
          asked.push("looked up");
          return bank.progressOf(id);
        },
      };
      return { half, asked };
    };

    it("looks the payment up and sends it once, though fifty restore its entry at the same time", async () => {
      const terms = await approvedPayment(database, scene);
      await losePlace(terms);
      const finders = [createPaymentStore(database), createPaymentStore(other)];
      const found = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          finders[index % 2]?.restorePlaces(restoring.limit, restoring.by()),
        ),
      );
      expect(found.flatMap((each) => each?.restored ?? [])).to.deep.equal([terms.id]);
      const [told, ...others] = (await finders[0]?.movesOf(terms.id))?.toReversed() ?? [];
      expect(told).to.deep.include({ move: "restore_place", by: "server", cause: "place_lost" });
      expect(told).to.deep.include({ number: others.length + 1, before: "approved", after: "approved" });
      expect(others.map(({ move }) => move)).not.to.include("restore_place");
      const { half, asked } = counting();
      await executeDuePayments(process(half).parts);
      expect(asked).to.deep.equal(["looked up", "sent"]);
      await untilEnded(terms);
      expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
      expect(await restore()).to.deep.equal([]);
    });

    it("does not send a payment that the bank already has, at any step", async () => {
      const [unheard, accepted] = [
        await approvedPayment(database, scene),
        await approvedPayment(database, scene),
      ];
      await executeDuePayments(process().parts);
      await rows("UPDATE payment SET state = 'approved' WHERE payment_id = $1", [unheard.id]);
      for (const terms of [unheard, accepted]) await losePlace(terms);
      expect(await restore()).to.have.members([unheard.id, accepted.id]);
      const { half, asked } = counting();
      await untilEnded(unheard, half);
      await untilEnded(accepted, half);
      expect(asked).not.to.include("sent");
      for (const terms of [unheard, accepted])
        expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
    });

    it("looks the payment up once before its day, and again on it", async () => {
      const executionDate = daysBefore(bankDayOf(new Date()), -3);
      const [unheard, accepted] = [
        await approvedPayment(database, scene, { executionDate }),
        await approvedPayment(database, scene, { executionDate }),
      ];
      await executeDuePayments(process().parts);
      await rows("UPDATE payment SET state = 'approved' WHERE payment_id = $1", [unheard.id]);
      for (const terms of [unheard, accepted]) await losePlace(terms);
      await restore();
      const { half, asked } = counting();
      await untilEnded(accepted, half);
      expect(asked).to.deep.equal(["looked up", "looked up"]);
      expect([await nameOf(accepted), await nameOf(unheard)]).to.deep.equal(["accepted", "accepted"]);
      await passTime(3 * 24 * 60 * 60_000);
      const completed = { state: "completed", entryReference: "E-1" } as const;
      await untilEnded(accepted, { ...half, progressOf: async () => completed });
      expect([await nameOf(accepted), await nameOf(unheard)]).to.deep.equal(["completed", "completed"]);
    });

    it("refuses a payment that differs from what was approved", async () => {
      const terms = await approvedPayment(database, scene);
      await losePlace(terms);
      const payee = writeStoredOrder({ ...terms.order, ...toIban(scene.closed.iban) });
      await rows("UPDATE payment SET order_content = $2 WHERE payment_id = $1", [terms.id, payee]);
      expect(await restore()).to.deep.equal([terms.id]);
      await executeDuePayments(process().parts);
      expect(await stateOf(terms)).to.have.nested.property("rejection.by", "execution_check");
      expect(await bank.progressOf(terms.id)).to.deep.equal({ state: "unknown" });
    });

    it("restores the entry when a process starts, and logs it", async () => {
      const terms = await approvedPayment(database, scene);
      await losePlace(terms);
      const { parts, store, lines, figures } = process();
      const job = startRestoringPlaces({ ...parts, store });
      try {
        await eventually(async () => /outcome="restored",service="test"\} 1/.test(await figures()));
      } finally {
        await job.stop();
      }
      expect(lines.find(({ msg }) => /had lost its outbox row/.test(String(msg)))?.paymentId).to.equal(
        terms.id,
      );
    });

    it("leaves an ended payment as it is", async () => {
      const terms = await approvedPayment(database, scene);
      await untilEnded(terms);
      await enteredPayment(database, scene);
      expect(await restore()).to.deep.equal([]);
    });
  });

  it("never resends a payment that the bank accepted and forgot, logs it, and ends it once the bank knows it", async () => {
    const terms = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    const forgetful: BankHalf = {
      acceptOrder: () => {
        throw new TypeError("it was sent again");
      },
      progressOf: async () => ({ state: "unknown" }),
    };
    const { parts, lines, figures } = process(forgetful);
    for (let round = 0; round < 3; round += 1) {
      await passTime(LONG);
      await executeDuePayments(parts);
      expect(await executeDuePayments(parts), "it is asked again later").to.equal(0);
    }
    expect(await nameOf(terms)).to.equal("accepted");
    expect(await figures()).to.match(/outcome="forgotten",service="test"\} 3/);
    const named = () => lines.filter(({ paymentId }) => paymentId === terms.id).length;
    expect(named(), "it is named once an hour").to.equal(1);
    await passTime(10_000);
    expect(await executeDuePayments(parts), "long before its place would be free").to.equal(1);
    await passTime(3_600_000);
    await executeDuePayments(parts);
    expect(named(), "an hour later").to.equal(2);
    await untilEnded(terms);
    expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
  });

  it("names a payment that the bank has forgotten although it was named as late before", async () => {
    const terms = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    const answers: Awaited<ReturnType<BankHalf["progressOf"]>>[] = [
      { state: "accepted" },
      { state: "unknown" },
    ];
    const { parts, lines } = process({
      ...bank,
      progressOf: async () => answers.shift() ?? { state: "accepted" },
    });
    await passTime(LONG + 6 * 3_600_000);
    await executeDuePayments(parts);
    await passTime(LONG);
    await executeDuePayments(parts);
    const named = lines.filter(({ level, paymentId }) => level === 50 && paymentId === terms.id);
    expect(named.map(({ msg }) => msg)).to.deep.equal([
      "the bank has not ended a payment in time that it accepted",
      "the bank no longer knows a payment that it accepted",
    ]);
    await untilEnded(terms);
  });

  it("sends to a bank that has lost its orders only those that it has not answered (scripts/operations)", async () => {
    const completed = await approvedPayment(database, scene);
    await untilEnded(completed);
    const accepted = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    const unanswered = await approvedPayment(database, scene);
    const acceptOrder = () => Promise.reject(new Error("the answer is lost"));
    await executeDuePayments(process({ ...bank, acceptOrder }).parts);
    const asked: string[] = [];
    const sent: string[] = [];
    const { parts } = process({
      acceptOrder: async ({ paymentId }) => {
        sent.push(paymentId);
        return { outcome: "accepted" };
      },
      progressOf: async (paymentId) => {
        asked.push(paymentId);
        return { state: "unknown" };
      },
    });
    await passTime(LONG);
    await executeDuePayments(parts);
    expect(sent).to.deep.equal([unanswered.id]);
    expect(asked).to.have.members([unanswered.id, accepted.id]);
    expect(await nameOf(completed)).to.equal("completed");
  });

  it("blames the bank for nothing because the clock of a process is ahead", async () => {
    const order = orderOf(scene, { priority: "INST" });
    await approvedPayment(database, scene, { order });
    await executeDuePayments(process().parts);
    const { parts, lines, figures } = process({ ...bank, progressOf: async () => ({ state: "accepted" }) });
    await passTime(60_000);
    clock.advance(3_600_000);
    expect(await executeDuePayments(parts)).to.equal(1);
    expect(await figures()).to.match(/outcome="late",service="test"\} 0/);
    expect(lines).to.deep.equal([]);
  });

  it("tells of an accepted payment that the bank has not ended in time, whatever it answers", async () => {
    const unended: readonly BankHalf["progressOf"][] = [
      async () => ({ state: "accepted" }),
      () => Promise.reject(new CoreUnavailable("answer_status", "it was answered with 404")),
    ];
    for (const [place, progressOf] of unended.entries()) {
      const order = orderOf(scene, { priority: place === 0 ? "INST" : "NORM" });
      const terms = await approvedPayment(database, scene, { order });
      await executeDuePayments(process().parts);
      const { parts, lines, figures } = process({ ...bank, progressOf });
      await passTime(LONG);
      await executeDuePayments(parts);
      expect(await figures()).to.match(/outcome="late",service="test"\} 0/);
      await passTime(place === 0 ? 15 * 60_000 : 6 * 3_600_000);
      await executeDuePayments(parts);
      expect(await figures()).to.match(/outcome="late",service="test"\} 1/);
      const told = lines.filter(({ level }) => level === 50);
      expect(told.map(({ paymentId }) => paymentId)).to.deep.equal([terms.id]);
      await untilEnded(terms);
      expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
    }
  });

  it("counts a late payment at each look, and names it in the log once an hour, or after a restart", async () => {
    const terms = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    const half: BankHalf = { ...bank, progressOf: async () => ({ state: "accepted" }) };
    const told = async ({ lines, figures }: ReturnType<typeof process>) => [
      lines.filter(({ level, paymentId }) => level === 50 && paymentId === terms.id).length,
      Number(/outcome="late",service="test"\} (\d+)/.exec(await figures())?.[1]),
    ];
    const first = process(half);
    const looksAfter = async (...pauses: readonly number[]) => {
      for (const each of pauses) {
        await passTime(each);
        await executeDuePayments(first.parts);
      }
      return told(first);
    };
    expect(await looksAfter(LONG + 6 * 3_600_000, LONG, LONG)).to.deep.equal([1, 3]);
    expect(await looksAfter(3_600_000, LONG)).to.deep.equal([2, 5]);
    const second = process(half);
    await passTime(LONG);
    await executeDuePayments(second.parts);
    expect(await told(second)).to.deep.equal([1, 1]);
    await untilEnded(terms);
  });

  it("does not call a payment late that the bank has not accepted yet, however long the bank is away", async () => {
    const terms = await approvedPayment(database, scene);
    const away = () => Promise.reject(new CoreUnavailable("core_timed_out", "away"));
    const { parts, figures } = process({ acceptOrder: away, progressOf: away });
    for (const pause of [0, 7 * 3_600_000]) {
      await passTime(pause);
      expect(await executeDuePayments(parts)).to.equal(1);
    }
    expect(await nameOf(terms)).to.equal("handed_over");
    expect(await figures()).to.match(/outcome="late",service="test"\} 0/);
  });

  it("does not blame the bank for a payment that it has ended in time, but whose end cannot be stored", async () => {
    const terms = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    await settleOrder(database, terms.id);
    const { parts, lines, figures } = process();
    const takeSettlement = () => Promise.reject(new Error("the database is read-only"));
    await passTime(LONG + 6 * 3_600_000);
    await executeDuePayments({ ...parts, store: { ...parts.store, takeSettlement } });
    expect(await figures()).to.match(/outcome="unknown",service="test"\} 1/);
    expect(await figures()).to.match(/outcome="late",service="test"\} 0/);
    expect(lines.map(({ level, paymentId }) => [level, paymentId])).to.deep.equal([[40, terms.id]]);
    await untilEnded(terms);
    expect(await nameOf(terms)).to.equal("completed");
  });

  it("tells of a payment that the bank has rejected and executes all the same, at once or later", async () => {
    for (const [state, pause] of [
      ["completed", 60_000],
      ["accepted", 3_600_000],
    ] as const) {
      const terms = await approvedPayment(database, scene);
      let progress: Awaited<ReturnType<BankHalf["progressOf"]>> = { state: "rejected", reason: "other" };
      const { parts, lines, figures } = process({
        acceptOrder: async () => ({ outcome: "rejected", reason: "other" }),
        progressOf: async () => progress,
      });
      await executeDuePayments(parts);
      const looks = async () => Promise.all(await beginRechecks(parts, 8));
      await passTime(pause - 30_000);
      await looks();
      expect(await looks()).to.deep.equal([]);
      progress = state === "completed" ? { state, entryReference: "E-1" } : { state };
      await passTime(30_000);
      await looks();
      expect(lines.map(({ level, paymentId }) => [level, paymentId])).to.deep.equal([[50, terms.id]]);
      expect(await figures()).to.match(/outcome="contradicted",service="test"\} 1/);
      expect(await nameOf(terms)).to.equal("rejected");
    }
  });

  it("tells nothing of rejected payments that stay so, or that the bank does not know", async () => {
    const answers: BankHalf["progressOf"][] = [
      async () => ({ state: "rejected", reason: "other" }),
      async () => ({ state: "unknown" }),
    ];
    for (const progressOf of answers) {
      await approvedPayment(database, scene);
      const { parts, lines } = process({
        acceptOrder: async () => ({ outcome: "rejected", reason: "other" }),
        progressOf,
      });
      await executeDuePayments(parts);
      await passTime(3_600_000);
      expect(await Promise.all(await beginRechecks(parts, 8))).to.have.length(2);
      expect(lines).to.deep.equal([]);
    }
  });

  it("logs why a rejected payment could not be asked about again, be it the bank's fault or ours", async () => {
    for (const [failure, reason] of [
      [new CoreUnavailable("answer_malformed", "state is missing"), { detail: "state is missing" }],
      [new TypeError("a fault of ours"), {}],
    ] as const) {
      const terms = await approvedPayment(database, scene);
      const { parts, lines, figures } = process({
        acceptOrder: async () => ({ outcome: "rejected", reason: "other" }),
        progressOf: () => Promise.reject(failure),
      });
      await executeDuePayments(parts);
      await passTime(60_000);
      await Promise.all(await beginRechecks(parts, 8));
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include({ level: 40, paymentId: terms.id, ...reason });
      expect(JSON.stringify(lines[0]?.error)).to.include(failure.message);
      expect(await figures()).to.match(/outcome="contradicted",service="test"\} 0/);
    }
  });

  it("asks again about a payment that the bank has rejected after accepting it", async () => {
    await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    await passTime(LONG);
    const { parts } = process({
      ...bank,
      progressOf: async () => ({ state: "rejected", reason: "other" }),
    });
    await executeDuePayments(parts);
    await passTime(60_000);
    expect(await Promise.all(await beginRechecks(parts, 8))).to.have.length(1);
  });

  it("neither counts a rejection nor asks about it again that could not be stored, or that another process has taken", async () => {
    const ends: readonly (() => Promise<"lost">)[] = [
      () => Promise.reject(new Error("the database is read-only")),
      async () => "lost",
    ];
    for (const isAccepted of [false, true])
      for (const end of ends) {
        const terms = await approvedPayment(database, scene);
        if (isAccepted) await executeDuePayments(process().parts);
        await passTime(LONG);
        const { parts, figures } = process({
          acceptOrder: async () => ({ outcome: "rejected", reason: "other" }),
          progressOf: async () => ({ state: "rejected", reason: "other" }),
        });
        const store = { ...parts.store, takeSettlement: end };
        await executeDuePayments({ ...parts, store });
        expect(await nameOf(terms)).to.equal(isAccepted ? "accepted" : "handed_over");
        expect(await figures()).to.match(/executions_total\{outcome="rejected",service="test"\} 0/);
        await passTime(3_600_000);
        expect(await beginRechecks(parts, 8)).to.deep.equal([]);
        await rows("DELETE FROM payment_outbox");
      }
  });

  it("does not ask again about a payment whose id the bank knows for another order", async () => {
    await approvedPayment(database, scene);
    const { parts } = process({
      ...bank,
      acceptOrder: async () => ({ outcome: "rejected", reason: "digest_mismatch" }),
    });
    await executeDuePayments(parts);
    await passTime(3_600_000);
    expect(await beginRechecks(parts, 8)).to.deep.equal([]);
  });

  it("asks again about rejected payments while it runs", async () => {
    const terms = await approvedPayment(database, scene);
    const asked: unknown[] = [];
    const { parts } = process({
      acceptOrder: async () => ({ outcome: "rejected", reason: "funds_insufficient" }),
      progressOf: async (...question) => {
        asked.push(question);
        return { state: "rejected", reason: "funds_insufficient" };
      },
    });
    const running = startExecutingPayments({ ...parts, stopMilliseconds });
    await eventually(async () => (await nameOf(terms)) === "rejected");
    await passTime(60_000);
    await eventually(() => asked.length === 1);
    await running.stop();
    expect(asked).to.deep.equal([[terms.id, "recheck"]]);
  });

  it("tells nothing of payments that the bank has ended, however long no process has asked about them", async () => {
    const order = orderOf(scene, { priority: "INST" });
    const ended = [await approvedPayment(database, scene), await approvedPayment(database, scene, { order })];
    await executeDuePayments(process().parts);
    const [completed] = ended;
    const progressOf: BankHalf["progressOf"] = async (paymentId) =>
      paymentId === completed?.id
        ? { state: "completed", entryReference: paymentId }
        : { state: "rejected", reason: "creditor_closed" };
    const { parts, lines, figures } = process({ ...bank, progressOf });
    await passTime(48 * 3_600_000);
    await executeDuePayments(parts);
    expect(await Promise.all(ended.map(nameOf))).to.deep.equal(["completed", "rejected"]);
    expect(await figures()).to.match(/outcome="late",service="test"\} 0/);
    expect(lines).to.deep.equal([]);
  });

  it("logs what was wrong with an answer that is not believed", async () => {
    const terms = await approvedPayment(database, scene);
    const detail = "outcome must be one of accepted, rejected (clause 7.1)";
    const acceptOrder = () => Promise.reject(new CoreUnavailable("answer_malformed", detail));
    const { parts, lines } = process({ ...bank, acceptOrder });
    await executeDuePayments(parts);
    expect(lines.filter(({ paymentId }) => paymentId === terms.id)).to.have.nested.property(
      "[0].detail",
      detail,
    );
  });

  describe("when the process ends or the answer is lost", () => {
    const lost = () => Promise.reject(new Error("the connection has gone"));

    it("before the bank has the payment, sends it once", async () => {
      const terms = await approvedPayment(database, scene);
      await executeDuePayments(process({ ...bank, acceptOrder: lost }).parts);
      expect(await nameOf(terms)).to.equal("handed_over");
      let sent = 0;
      const counting: BankHalf = {
        ...bank,
        acceptOrder: (order) => {
          sent += 1;
          return bank.acceptOrder(order);
        },
      };
      await passTime(LONG);
      await untilEnded(terms, counting);
      expect([sent, await nameOf(terms), await debitsOf(terms)]).to.deep.equal([1, "completed", 1]);
    });

    it("tries again after two seconds, long before another process might take it", async () => {
      await approvedPayment(database, scene);
      const { parts } = process({ ...bank, acceptOrder: lost });
      expect(await executeDuePayments(parts)).to.equal(1);
      await passTime(2_000);
      expect(await executeDuePayments(parts)).to.equal(1);
    });

    it("after the bank took the payment, looks it up and does not resend it", async () => {
      const terms = await approvedPayment(database, scene);
      const cut: BankHalf = { ...bank, acceptOrder: (order) => bank.acceptOrder(order).then(lost) };
      const { parts, figures } = process(cut);
      await executeDuePayments(parts);
      expect(await nameOf(terms)).to.equal("handed_over");
      expect(await figures()).to.match(/outcome="unknown",service="test"\} 1/);
      await passTime(LONG);
      const never: BankHalf = {
        ...bank,
        acceptOrder: () => {
          throw new TypeError("it was sent again");
        },
      };
      await untilEnded(terms, never);
      expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
    });

    it("after the bank took the payment, does not resend it even if its place was written anew", async () => {
      const terms = await approvedPayment(database, scene);
      const cut: BankHalf = { ...bank, acceptOrder: (order) => bank.acceptOrder(order).then(lost) };
      await executeDuePayments(process(cut).parts);
      await rows("UPDATE payment_outbox SET attempts = 0, due_at = now() WHERE payment_id = $1", [terms.id]);
      await passTime(LONG);
      const asked: string[] = [];
      const half: BankHalf = {
        acceptOrder: (order) => bank.acceptOrder(order).finally(() => asked.push("sent")),
        progressOf: (id) => bank.progressOf(id).finally(() => asked.push("looked up")),
      };
      await executeDuePayments(process(half).parts);
      expect([asked, await nameOf(terms)]).to.deep.equal([["looked up"], "accepted"]);
    });

    it("after the bank took the payment, ends it as the bank says, even if its order was changed here", async () => {
      const terms = await approvedPayment(database, scene);
      const cut: BankHalf = { ...bank, acceptOrder: (order) => bank.acceptOrder(order).then(lost) };
      await executeDuePayments(process(cut).parts);
      const payee = writeStoredOrder({ ...terms.order, ...toIban(scene.payee.iban) });
      await rows("UPDATE payment SET order_content = $2 WHERE payment_id = $1", [terms.id, payee]);
      await passTime(LONG);
      await untilEnded(terms);
      expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
    });

    it("after the bank rejected the payment, rejects it", async () => {
      const order = orderOf(scene, toIban(scene.closed.iban));
      const terms = await approvedPayment(database, scene, { order });
      await executeDuePayments(
        process({ ...bank, acceptOrder: (each) => bank.acceptOrder(each).then(lost) }).parts,
      );
      await passTime(LONG);
      await executeDuePayments(process().parts);
      expect(await stateOf(terms)).to.have.nested.property("rejection.reason", "creditor_closed");
    });

    it("before or after any statement of the store, ends with one booking", async () => {
      for (const step of ["handOver", "takeAcceptance", "takeSettlement"] as const)
        for (const when of ["before", "after"] as const) {
          const terms = await approvedPayment(database, scene);
          const { parts } = process();
          const killed = {
            ...parts,
            store: {
              ...parts.store,
              // The end of a process gives nothing back.
              postpone: lost,
              [step]: async (...given: Parameters<(typeof parts.store)[typeof step]>) => {
                if (when === "after") await Reflect.apply(parts.store[step], parts.store, given);
                return lost();
              },
            },
          };
          for (let round = 0; round < 3; round += 1) {
            await executeDuePayments(killed);
            await settleOrder(database, terms.id);
            await passTime(LONG);
          }
          await untilEnded(terms);
          expect([await nameOf(terms), await debitsOf(terms)], `${when} ${step}`).to.deep.equal([
            "completed",
            1,
          ]);
        }
    });

    it("leaves the payment open while the bank cannot be asked, and ends it afterwards", async () => {
      const terms = await approvedPayment(database, scene);
      const { parts } = process({ acceptOrder: lost, progressOf: lost });
      for (let round = 0; round < 5; round += 1) {
        await executeDuePayments(parts);
        await passTime(LONG);
      }
      expect(await nameOf(terms)).to.equal("handed_over");
      await untilEnded(terms);
      expect([await nameOf(terms), await debitsOf(terms)]).to.deep.equal(["completed", 1]);
    });
  });

  it("is shared by several processes: twenty payments, each sent once", async () => {
    const all: PaymentTerms[] = [];
    const order = orderOf(scene, { amount: { minor: 10_000n, currency: CZK } });
    for (let count = 0; count < 20; count += 1) all.push(await approvedPayment(database, scene, { order }));
    const sent: string[] = [];
    const counting: BankHalf = {
      ...bank,
      acceptOrder: (order) => {
        sent.push(order.paymentId);
        return bank.acceptOrder(order);
      },
    };
    const running = [database, other, database].map((pool) =>
      startExecutingPayments({
        ...executingProcess(pool, { bank: counting, clock }).parts,
        stopMilliseconds,
      }),
    );
    const { settling } = sandboxOf(other);
    await eventually(
      async () => (await Promise.all(all.map(nameOf))).every((name) => name === "completed"),
      30_000,
    );
    await Promise.all([...running, settling].map(({ stop }) => stop()));
    expect(sent.toSorted()).to.deep.equal(all.map(({ id }) => String(id)).toSorted());
    expect(await Promise.all(all.map(debitsOf))).to.deep.equal(all.map(() => 1));
  });

  it("leaves a payment to the process working on it for longer than a slow bank takes to answer twice", async () => {
    const terms = await approvedPayment(database, scene);
    const held = holdBank();
    const slow = { bank: held.bank, clock, answerMilliseconds: 30_000 };
    const sending = executeDuePayments(executingProcess(database, slow).parts);
    await eventually(() => held.sent() === 1);
    await passTime(60_000);
    expect(await executeDuePayments(executingProcess(other, slow).parts)).to.equal(0);
    held.answer();
    await sending;
    expect([held.sent(), await nameOf(terms)]).to.deep.equal([1, "accepted"]);
  });

  it("sends an order once while the clocks of two processes differ by an hour", async () => {
    const another = aheadClock();
    for (const ahead of [3_600_000, -3_600_000]) {
      const terms = await approvedPayment(database, scene);
      const held = holdBank();
      const sending = executeDuePayments(executingProcess(database, { bank: held.bank, clock }).parts);
      await eventually(() => held.sent() === 1);
      another.advance(ahead);
      const { parts } = executingProcess(other, { bank, clock: another });
      const looked = await executeDuePayments(parts);
      held.answer();
      await sending;
      another.advance(-ahead);
      expect([looked, held.sent(), await nameOf(terms)]).to.deep.equal([0, 1, "accepted"]);
    }
  });

  it("is due to all processes at the same time while their clocks differ", async () => {
    const another = aheadClock();
    another.advance(-3_600_000);
    const terms = await approvedPayment(database, scene);
    await executeDuePayments(process().parts);
    await settleOrder(database, terms.id);
    await passTime(1_000);
    await executeDuePayments(executingProcess(other, { bank, clock: another }).parts);
    expect(await nameOf(terms)).to.equal("completed");
  });

  it("leaves a payment to the process that has taken it meanwhile, without a log line", async () => {
    const terms = await approvedPayment(database, scene);
    const { parts, lines, figures } = process();
    const taken: unknown[] = [];
    const late: typeof parts = {
      ...parts,
      store: {
        ...parts.store,
        handOver: async (lease, by) => {
          await passTime(LONG);
          const again = { limit: 1, leaseMilliseconds: parts.leaseMilliseconds };
          taken.push(...(await parts.store.dueForHandOver(again)));
          return parts.store.handOver(lease, by);
        },
      },
    };
    await executeDuePayments(late);
    expect(taken).to.have.length(1);
    expect(await nameOf(terms)).to.equal("approved");
    expect(await bank.progressOf(terms.id)).to.deep.equal({ state: "unknown" });
    expect(lines).to.deep.equal([]);
    expect(await figures()).not.to.match(/executions_total\{outcome="(refused|unknown)",service="test"\} 1/);
  });

  it("neither counts nor tells what another process has recorded meanwhile", async () => {
    await approvedPayment(database, scene);
    const { id } = await enteredPayment(database, scene);
    const plant = "INSERT INTO payment_outbox (payment_id, step, due_at) VALUES ($1, 'hand_over', now())";
    await rows(plant, [id]);
    const { parts, lines, figures } = process();
    const isLost = async () => "lost" as const;
    const store = { ...parts.store, takeAcceptance: isLost, refuseLease: isLost };
    expect(await executeDuePayments({ ...parts, store })).to.equal(2);
    expect(lines).to.deep.equal([]);
    expect(await figures()).not.to.match(/executions_total\{outcome="\w+",service="test"\} 1/);
  });

  it("goes on while the bank is slow with seven of the eight payments sent at once", async () => {
    const slow = await Promise.all(Array.from({ length: 7 }, () => approvedPayment(database, scene)));
    const slowIds: readonly string[] = slow.map(({ id }) => id);
    const held = holdBank(({ paymentId }) => slowIds.includes(paymentId));
    const running = startExecutingPayments({ ...process(held.bank).parts, stopMilliseconds });
    const stateOfSlow = async () =>
      (await Promise.all(slow.map(nameOf))).every((name) => name === "handed_over");
    await eventually(stateOfSlow);
    const quick = await approvedPayment(database, scene);
    await eventually(async () => (await nameOf(quick)) === "accepted").finally(held.answer);
    await running.stop();
    expect(await Promise.all(slow.map(nameOf))).to.deep.equal(slow.map(() => "accepted"));
  });

  it("hands over those that are due one after another, without a pause, while the bank is slow with one", async () => {
    const millisecondsOfAll = async (isSlow: boolean, claimMilliseconds = 0) => {
      const due = await Promise.all(Array.from({ length: 141 }, () => approvedPayment(database, scene)));
      const held = holdBank(({ paymentId }) => isSlow && paymentId === due[0]?.id);
      const { parts } = process(held.bank);
      const dueForSettlement = async () => {
        await delay(claimMilliseconds);
        return [];
      };
      const store = claimMilliseconds > 0 ? { ...parts.store, dueForSettlement } : parts.store;
      const waited = startWaiting();
      const running = startExecutingPayments({ ...parts, store, stopMilliseconds });
      await eventually(async () => {
        const waiting = await rows("SELECT FROM payment_outbox WHERE step = 'hand_over'");
        return waiting.length === (isSlow ? 1 : 0);
      }).finally(held.answer);
      const milliseconds = waited();
      await running.stop();
      return milliseconds;
    };
    const alone = await millisecondsOfAll(false);
    // Twenty times seven beside the slow one: a look a quarter of a second after each seven would take longer. The database
    // may get half as much of a busy machine meanwhile.
    const longest = 2 * alone + 2_000;
    expect(await millisecondsOfAll(true)).to.be.below(longest);
    expect(await millisecondsOfAll(true, 50), "each claim takes longer than a payment").to.be.below(
      longest + 20 * 50,
    );
  });

  it("has eight payments at the bank at once, however many are due and however slow it is", async () => {
    for (let count = 0; count < 10; count += 1) await approvedPayment(database, scene);
    let rounds = 0;
    const held = holdBank();
    const countJob: CountJob = () => (round, fail) =>
      repeat((signal) => {
        rounds += 1;
        return round(signal);
      }, fail);
    const running = startExecutingPayments({ ...process(held.bank).parts, stopMilliseconds, countJob });
    await eventually(() => held.sent() >= 8 && rounds > 2);
    expect(held.sent()).to.equal(8);
    held.answer();
    await eventually(() => held.sent() === 10);
    await running.stop();
  });

  it("completes instant payments while all eight ordinary ones that may be at the bank at once are slow", async () => {
    for (let count = 0; count < 10; count += 1) await approvedPayment(database, scene);
    const held = holdBank(({ order }) => order.priority !== "INST");
    const running = startExecutingPayments({ ...process(held.bank).parts, stopMilliseconds });
    await eventually(() => held.sent() === 8);
    const instant = await approvedPayment(database, scene, { order: orderOf(scene, { priority: "INST" }) });
    await eventually(async () => (await nameOf(instant)) === "completed").finally(held.answer);
    await running.stop();
  });

  it("asks about an instant payment as about no other", async () => {
    await approvedPayment(database, scene);
    const instant = await approvedPayment(database, scene, { order: orderOf(scene, { priority: "INST" }) });
    const asked: string[] = [];
    const instantBank: BankHalf = {
      acceptOrder: (order) => {
        asked.push(order.paymentId);
        return bank.acceptOrder(order);
      },
      progressOf: (id) => {
        asked.push(id);
        return bank.progressOf(id);
      },
    };
    const parts = { ...process().parts, instantBank };
    for (let round = 0; round < 2; round += 1) await executeDuePayments(parts);
    expect(asked).to.deep.equal([instant.id, instant.id]);
  });

  it("follows an instant payment whose place was restored while eight others are slow", async () => {
    const slow = await Promise.all(Array.from({ length: 8 }, () => approvedPayment(database, scene)));
    const instant = await approvedPayment(database, scene, { order: orderOf(scene, { priority: "INST" }) });
    const { parts } = process();
    await executeDuePayments(parts);
    expect(await nameOf(instant)).to.equal("accepted");
    await rows("DELETE FROM payment_outbox WHERE payment_id = $1", [instant.id]);
    await createPaymentStore(database).restorePlaces(100, { now: clock.now(), requestId: undefined });
    let asked = 0;
    let answer: () => void = () => {};
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const progressOf: OrderBank["progressOf"] = async (id) => {
      if (id !== instant.id) {
        asked += 1;
        await answering;
      }
      return bank.progressOf(id);
    };
    await passTime(LONG);
    await rows("UPDATE payment_outbox SET due_at = now() - interval '1 hour' WHERE payment_id <> $1", [
      instant.id,
    ]);
    const running = startExecutingPayments({ ...process({ ...bank, progressOf }).parts, stopMilliseconds });
    await eventually(async () => (await nameOf(instant)) === "completed").finally(answer);
    expect(asked).to.equal(slow.length);
    await running.stop();
  });

  it("stops while the bank is silent, and another process looks up what was sent", async () => {
    const terms = await approvedPayment(database, scene);
    const sent: unknown[] = [];
    const silent: BankHalf = {
      ...bank,
      acceptOrder: (order) => {
        sent.push(order);
        return new Promise(() => {});
      },
    };
    const running = startExecutingPayments({ ...process(silent).parts, stopMilliseconds: 50 });
    await eventually(() => sent.length === 1);
    await running.stop();
    expect(await nameOf(terms)).to.equal("handed_over");
    await passTime(LONG);
    await untilEnded(terms);
    expect(await nameOf(terms)).to.equal("completed");
  });

  it("reports how many payments wait for the bank, and for how long", async () => {
    await approvedPayment(database, scene);
    const { figures } = process();
    const told = await figures();
    expect(told).to.match(/outbox_waiting\{service="test"\} 1/);
    expect(told).to.match(/outbox_oldest_age_seconds\{service="test"\} \d/);
  });
});
