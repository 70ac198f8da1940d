import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { MOST_OVERFILLED, type RateLimitStore } from "../../packages/auth/src/limits/rate-limit-store.ts";
import type { SharedStore } from "./ephemeral-store-contract.ts";

/** A store of buckets; `tidy` removes empty ones, unless they disappear by themselves. */
export interface SharedBuckets extends SharedStore<RateLimitStore> {
  tidy(): Promise<void>;
  clear(): Promise<void>;
  /** Sets the store's clock back by an hour, as its buckets see it. */
  putClockBack(): Promise<void>;
  /** Number of buckets. */
  count(): Promise<number>;
}

/** The contract of every store of rate limits, wherever it counts. */
export function describeRateLimitStore(where: string, open: () => Promise<SharedBuckets>): void {
  describe(`Rate limit store ${where}`, () => {
    let shared: SharedBuckets;
    let one: RateLimitStore;
    let other: RateLimitStore;
    before(async () => {
      shared = await open();
      ({ one, other } = shared);
    });
    after(() => shared.close());

    const pourAtOnce = (times: number, names: readonly string[], perMinute: number) =>
      Promise.all(
        Array.from({ length: times }, (_, index) =>
          (index % 2 === 0 ? one : other).pour(names.map((name) => ({ name, perMinute }))),
        ),
      );

    /** Pours fifty at once, of which exactly `limit` are accepted; returns the others, and the milliseconds that they took. */
    async function pourFifty(names: readonly string[], limit: number) {
      const begun = performance.now();
      const outcomes = await pourAtOnce(50, names, limit);
      const took = performance.now() - begun;
      // On a very busy machine there may be room for more meanwhile.
      const most = limit + Math.floor((took * limit) / 60_000);
      expect(outcomes.filter((full) => full.length === 0).length).to.be.within(limit, most);
      return { full: outcomes.flat(), took };
    }
    for (const limit of [1, 7, 20])
      it(`admits exactly ${limit} of fifty calls that come at once in two processes`, async () => {
        const { full, took } = await pourFifty([`at once ${limit}`], limit);
        // A call that began before the last accepted one waits longer by that difference.
        for (const { waitMilliseconds } of full) {
          expect(waitMilliseconds).to.be.above(0);
          expect(waitMilliseconds).to.be.at.most(60_000 / limit + Math.max(2_000, took));
        }
      });

    it("admits exactly as many of fifty calls at once into several buckets", async () => {
      await pourFifty(["several a", "several b", "several c"], 9);
    });

    it("uses no room in one bucket for those of fifty calls that another had no room for", async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        const [small, large] = [`small ${turn}`, `large ${turn}`];
        const pours = Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? one : other).pour([
            { name: small, perMinute: 4 },
            { name: large, perMinute: 9 },
          ]),
        );
        expect((await Promise.all(pours)).filter((full) => full.length === 0)).to.have.length(4);
        const more = await pourAtOnce(8, [large], 9);
        expect(more.filter((full) => full.length === 0).length).to.be.at.least(5);
      }
    });

    it("never reports a bucket as full that has room for all that another one has", async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        const [small, roomy] = [`least ${turn}`, `roomy ${turn}`];
        const both = [
          { name: small, perMinute: 4 },
          { name: roomy, perMinute: 10 },
        ];
        const pours = Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? one : other).pour(index % 10 === 9 ? both.slice(1) : both),
        );
        const full = new Set((await Promise.all(pours)).flat().map(({ name }) => name));
        expect([...full]).to.deep.equal([small]);
      }
    });

    it("never deadlocks when calls name the same buckets in different orders", async () => {
      const orders = [
        ["order a", "order b"],
        ["order b", "order a"],
      ];
      const outcomes = await Promise.all(orders.map((names) => pourAtOnce(40, names, 1_000)));
      expect(outcomes.flat(2)).to.deep.equal([]);
    });

    it("fills no bucket when one of them is full, and names that one", async () => {
      const [full, roomy] = [
        { name: "full", perMinute: 1 },
        { name: "roomy", perMinute: 1 },
      ];
      await one.pour([full]);
      const outcome = await other.pour([roomy, full]);
      expect(outcome.map(({ name }) => name)).to.deep.equal(["full"]);
      expect(await one.pour([roomy])).to.deep.equal([]);
    });

    it("admits another call after as long as it says, and not before", async () => {
      let isSeen = false;
      // On a machine that stood still the time may be over too soon to be seen, so the test looks once more.
      for (let turn = 0; !isSeen; turn += 1) {
        const bucket = { name: `wait ${turn}`, perMinute: 20 };
        const begun = performance.now();
        const isWithin = (milliseconds: number) => performance.now() - begun < milliseconds;
        await one.overfill([bucket], 20);
        const [full] = await other.pour([bucket]);
        const quarter = Math.ceil((full?.waitMilliseconds ?? 0) / 4);
        await delay(quarter);
        const early = await one.pour([bucket]);
        if (!isWithin(2_900)) continue;
        expect(full?.waitMilliseconds).to.be.within(1, 3_000);
        expect(early).to.have.length(1);
        // A timer may fire a millisecond early.
        await delay(3 * quarter + 5);
        expect(await one.pour([bucket])).to.deep.equal([]);
        const next = await other.pour([bucket]);
        isSeen = isWithin(5_900);
        if (isSeen) expect(next).to.have.length(1);
      }
    });

    it("fills a full bucket further, but never by more than a minute's worth", async () => {
      const bucket = { name: "overfull", perMinute: 60 };
      for (let times = 0; times < 4; times += 1) await one.overfill([bucket], 30);
      const begun = performance.now();
      await one.overfill([bucket], 30);
      const [full] = await other.pour([bucket]);
      const took = performance.now() - begun;
      expect(full?.waitMilliseconds).to.be.within(29_000 - took, 31_000);
    });

    it("makes nobody wait after its clock was put back", async () => {
      const names = ["hour a", "hour b"].map((name) => ({ name, perMinute: 60 }));
      await one.pour(names);
      await shared.putClockBack();
      expect(await other.pour(names)).to.deep.equal([]);
      await one.overfill(names, MOST_OVERFILLED);
      await shared.putClockBack();
      expect(await pourAtOnce(2, ["hour a", "hour b"], 60)).to.deep.equal([[], []]);
    });

    it("deletes buckets that have run empty, and no others", async () => {
      await shared.clear();
      await one.pour([{ name: "long", perMinute: 1 }]);
      await one.pour([{ name: "short", perMinute: 60_000 }]);
      await delay(5);
      await shared.tidy();
      expect(await shared.count()).to.equal(1);
      expect(await other.pour([{ name: "long", perMinute: 1 }])).to.have.length(1);
    });

    it("stores names in unreadable form", async () => {
      await one.pour([{ name: "authorize_address 192.0.2.1", perMinute: 1 }]);
      expect(await shared.kept()).not.to.match(/192\.0\.2\.1|address/);
    });
  });
}
