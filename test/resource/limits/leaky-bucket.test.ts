import { expect } from "chai";
import { createLeakyBucket, keepForEach } from "../../../packages/resource/src/limits/leaky-bucket.ts";
import { movableClock } from "../../support/movable-clock.ts";

describe("a leaky bucket", () => {
  it("has room for a minute's share at once, and then as it drains", () => {
    const clock = movableClock();
    const bucket = createLeakyBucket(3, clock);
    for (let count = 0; count < 3; count += 1) {
      expect(bucket.waitFor(), `before ${count}`).to.equal(0);
      bucket.fill();
    }
    expect(bucket.waitFor()).to.equal(20_000);
    clock.advance(19_999);
    expect(bucket.waitFor()).to.equal(1);
    clock.advance(1);
    expect(bucket.waitFor()).to.equal(0);
    clock.advance(600_000);
    for (let count = 0; count < 3; count += 1) bucket.fill();
    expect(bucket.waitFor(), "no more flows out than there is").to.equal(20_000);
  });

  it("has room again for one that was taken back, and never for more than fit in", () => {
    const bucket = createLeakyBucket(1, movableClock());
    bucket.fill();
    bucket.takeBack();
    expect(bucket.waitFor()).to.equal(0);
    bucket.takeBack();
    bucket.fill();
    expect(bucket.waitFor()).to.equal(60_000);
  });

  it("says whether there is room beside others that are under way", () => {
    const bucket = createLeakyBucket(3, movableClock());
    bucket.fill();
    expect([bucket.waitFor(0), bucket.waitFor(1), bucket.waitFor(2)]).to.deep.equal([0, 0, 20_000]);
  });

  it("is kept for each party, ten thousand at most: the longest unused is dropped", () => {
    const bucketOf = keepForEach(() => createLeakyBucket(1, movableClock()));
    bucketOf("first").fill();
    expect([bucketOf("first").waitFor(), bucketOf("other").waitFor()]).to.deep.equal([60_000, 0]);
    for (let party = 0; party < 10_000; party += 1) bucketOf(`party-${party}`);
    expect(bucketOf("first").waitFor()).to.equal(0);
  });
});
