import { expect } from "chai";
import { createQuestionSlots } from "../../packages/service-edge/src/client/question-slots.ts";
import { createSlots, createSlotsByName } from "../../packages/service-edge/src/turns/slots.ts";
import { eventually } from "../support/eventually.ts";
import { heapAfterCollection } from "../support/heap-after-collection.ts";
import { rejectionOf } from "../support/rejection.ts";

const ONE = { atOnce: 1, mostWaiting: 1, refuse: Error };

describe("Slots for tasks", () => {
  it("are given in the order of asking", async () => {
    const slots = createSlots({ atOnce: 2, mostWaiting: 8, waitMilliseconds: 60_000, refuse: Error });
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const calls = Array.from({ length: 6 }, (_none, at) =>
      slots.run(() => {
        begun.push(at);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    expect(begun, "as many at once as may be").to.deep.equal([0, 1]);
    for (let at = 0; at < calls.length; at += 1) {
      await eventually(() => ends.length > at);
      ends[at]?.();
    }
    await Promise.all(calls);
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it("keep their number when one is passed on, and tell a task whether it has waited", async () => {
    const slots = createSlots({ atOnce: 2, mostWaiting: 1, waitMilliseconds: 60_000, refuse: Error });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (name: string) =>
      slots.run((hasWaited) => {
        begun.push(hasWaited ? `${name} has waited` : name);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const [first, ...others] = ["one", "two", "three"].map(begin);
    expect(await rejectionOf(begin("four"))).to.include({ message: "1 are already waiting" });
    ends[0]?.();
    await first;
    others.push(begin("five"));
    await eventually(() => begun.length > 2);
    expect([slots.underWay(), slots.waiting()]).to.deep.equal([2, 1]);
    expect(begun).to.deep.equal(["one", "two", "three has waited"]);
    for (let at = 1; at < 4; at += 1) {
      await eventually(() => ends.length > at);
      ends[at]?.();
    }
    await Promise.all(others);
    expect([slots.underWay(), slots.waiting()]).to.deep.equal([0, 0]);
  });

  it("are waited for as long as it takes when there is no limit", async () => {
    const [limited, unlimited] = [createSlots({ ...ONE, waitMilliseconds: 30 }), createSlots(ONE)];
    let end = () => {};
    const stay = () => new Promise<void>((resolve) => (end = resolve));
    void limited.run(stay);
    const first = unlimited.run(stay);
    const second = unlimited.run(async () => "its turn");
    await rejectionOf(limited.run(async () => {}));
    expect(unlimited.waiting()).to.equal(1);
    end();
    await first;
    expect(await second).to.equal("its turn");
  });

  it("are not given to a task that has stopped waiting", async () => {
    const slots = createSlots({ ...ONE, waitMilliseconds: 30 });
    let end = () => {};
    const first = slots.run(() => new Promise<void>((resolve) => (end = resolve)));
    expect(await rejectionOf(slots.run(async () => {}))).to.include({ message: "no free slot within 30 ms" });
    expect(slots.waiting()).to.equal(0);
    const third = slots.run(async () => "its turn");
    end();
    await first;
    expect(await third).to.equal("its turn");
    expect(await slots.run(async () => "free again")).to.equal("free again");
  });
});

describe("Slots by name", () => {
  it("are limited for each name separately, as long as somebody holds one", async () => {
    const run = createSlotsByName({ atOnce: 2, mostWaiting: 0, waitMilliseconds: 60_000, refuse: Error });
    let end = () => {};
    const stay = () => new Promise<void>((resolve) => (end = resolve));
    const first = run("a", stay);
    const endFirst = end;
    await run("a", async () => {});
    const second = run("a", stay);
    expect(await rejectionOf(run("a", async () => {}))).to.include({ message: "0 are already waiting" });
    expect(await run("b", async () => "its own")).to.equal("its own");
    end();
    endFirst();
    await Promise.all([first, second]);
  });

  it("stay limited for a task that comes while two leave at once", async () => {
    for (let ticks = 0; ticks < 8; ticks += 1) {
      const run = createSlotsByName({ atOnce: 2, mostWaiting: 0, refuse: Error });
      const ends: (() => void)[] = [];
      let underWay = 0;
      const stay = async () => {
        underWay += 1;
        await new Promise<void>((resolve) => ends.push(resolve));
        underWay -= 1;
      };
      const come = () => run("a", stay).catch(() => {});
      const comeLater = async () => {
        for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
        void come();
      };
      const leaving = [come(), come()];
      ends[0]?.();
      const third = comeLater();
      ends[1]?.();
      await Promise.all([...leaving, third]);
      for (let another = 0; another < 2; another += 1) void come();
      expect(underWay, `after ${ticks} ticks`).to.equal(2);
    }
  });

  it("keep nothing of an unused name, as callers choose names such as keys of payments", async () => {
    const run = createSlotsByName({ atOnce: 1, waitMilliseconds: 60_000, refuse: Error });
    const runMany = async (count: number) => {
      for (let at = 0; at < count; at += 1) await run(`idempotency key ${at}`, async () => {});
    };
    await runMany(1_000);
    const before = heapAfterCollection();
    await runMany(20_000);
    expect((heapAfterCollection() - before) / 20_000, "bytes each").to.be.below(50);
  });

  it("refuse all who wait after a failure that would hit them too, but not after any other", async () => {
    const [away, own] = [new Error("the database is away"), new Error("its own")];
    const slots = createSlots({
      atOnce: 1,
      waitMilliseconds: 60_000,
      refuse: Error,
      failsAll: (failure) => failure === away,
    });
    const outcomesAfter = (failure: Error) =>
      Promise.allSettled([
        slots.run(() => Promise.reject(failure)),
        slots.run(async () => "done"),
        slots.run(async () => "done"),
      ]);
    const failed = (reason: Error) => ({ status: "rejected", reason });
    const done = { status: "fulfilled", value: "done" };
    expect(await outcomesAfter(own)).to.deep.equal([failed(own), done, done]);
    expect(await outcomesAfter(away)).to.deep.equal([away, away, away].map(failed));
    expect([slots.underWay(), slots.waiting()]).to.deep.equal([0, 0]);
  });
});

describe("Slots for questions to revocation sources", () => {
  it("are limited for all hosts together, and free again after an answer", async () => {
    const inSlot = createQuestionSlots();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const asked = Array.from({ length: 4_096 }, (_none, at) => inSlot(`host-${at % 4}`, () => answered));
    const another = () => inSlot("host-5", async () => "asked");
    expect(await rejectionOf(another())).to.include({
      message: "too many requests to host-5 are in progress",
    });
    answer();
    await Promise.all(asked);
    expect(await another()).to.equal("asked");
  });
});
