import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { expect } from "chai";
import { createFairSlots, type FairSlots } from "../../packages/service-edge/src/turns/fair-slots.ts";
import { heapAfterCollection } from "../support/heap-after-collection.ts";
import { rejectionOf } from "../support/rejection.ts";

const TERMS = { mostWaiting: 100, waitMilliseconds: 60_000, refuse: Error };

/** Runs tasks that last until they are ended, in the order of their beginning. */
function observe(slots: FairSlots) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const calls: Promise<void>[] = [];
  const begin = (party: string, count = 1) => {
    for (let task = 0; task < count; task += 1)
      calls.push(
        slots.run(party, () => {
          begun.push(party);
          return new Promise<void>((resolve) => ends.push(resolve));
        }),
      );
  };
  const endOne = async () => {
    ends.shift()?.();
    await turnOfEventLoop();
  };
  const endAll = async () => {
    while (ends.length > 0) await endOne();
    await Promise.all(calls);
  };
  const begunBy = (party: string) => begun.filter((name) => name === party).length;
  return { begun, begin, endOne, endAll, begunBy };
}

describe("Fair slots", () => {
  it("go round among the parties who wait", async () => {
    const slots = createFairSlots({ ...TERMS, atOnce: 1 });
    const { begun, begin, endAll } = observe(slots);
    begin("many", 5);
    begin("two", 2);
    begin("one");
    await endAll();
    expect(begun).to.deep.equal(["many", "many", "two", "one", "many", "two", "many", "many"]);
    expect(slots.waiting()).to.equal(0);
  });

  it("leave a quarter of the places to others, and a place to a further party", async () => {
    const { begin, begunBy, endAll } = observe(createFairSlots({ ...TERMS, atOnce: 32, mostWaiting: 1_000 }));
    begin("many", 64);
    expect(begunBy("many")).to.equal(24);
    begin("also many", 64);
    begin("one");
    expect(begunBy("also many")).to.equal(6);
    expect(begunBy("one")).to.equal(1);
    await endAll();
  });

  it("even out between parties with many tasks", async () => {
    const { begun, begin, endOne, endAll, begunBy } = observe(createFairSlots({ ...TERMS, atOnce: 7 }));
    begin("first", 40);
    begin("second", 40);
    for (let task = 0; task < 30; task += 1) await endOne();
    expect(Math.abs(begunBy("first") - begunBy("second")), begun.join()).to.be.at.most(5);
    await endAll();
  });

  it("leave places to wait to others, and refuse at once what exceeds them", async () => {
    const slots = createFairSlots({ ...TERMS, atOnce: 1, mostWaiting: 4 });
    const { begin, endAll } = observe(slots);
    begin("many", 4);
    const another = (party: string) => slots.run(party, async () => {});
    expect(await rejectionOf(another("many"))).to.include({ message: "3 are already waiting" });
    begin("one");
    expect(await rejectionOf(another("other"))).to.include({ message: "4 are already waiting" });
    await endAll();
  });

  it("are not given to a task that has stopped waiting", async () => {
    const slots = createFairSlots({ ...TERMS, atOnce: 1, waitMilliseconds: 30 });
    let end = () => {};
    const first = slots.run("a", () => new Promise<void>((resolve) => (end = resolve)));
    const late = await Promise.all(["a", "b"].map((name) => rejectionOf(slots.run(name, async () => {}))));
    for (const error of late) expect(error).to.include({ message: "no free slot within 30 ms" });
    expect(slots.waiting()).to.equal(0);
    const next = slots.run("b", async () => "its turn");
    end();
    await first;
    expect(await next).to.equal("its turn");
  });

  it("are free again after a task that fails", async () => {
    const slots = createFairSlots({ ...TERMS, atOnce: 1 });
    const failed = slots.run("a", () => Promise.reject(new Error("failed")));
    const next = slots.run("b", async () => "its turn");
    expect(await rejectionOf(failed)).to.include({ message: "failed" });
    expect(await next).to.equal("its turn");
  });

  it("keep nothing of a party without tasks", async () => {
    const slots = createFairSlots({ ...TERMS, atOnce: 1 });
    const runMany = async (count: number) => {
      for (let at = 0; at < count; at += 2)
        await Promise.all([at, at + 1].map((each) => slots.run(`party ${each}`, async () => {})));
    };
    await runMany(1_000);
    const before = heapAfterCollection();
    await runMany(20_000);
    expect((heapAfterCollection() - before) / 20_000, "bytes each").to.be.below(50);
  });
});
