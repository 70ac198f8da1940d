import { expect } from "chai";
import { limitConcurrency } from "../../../packages/auth/src/psu/limit-concurrency.ts";

describe("a bound on concurrent work", () => {
  it("runs so many at once, lets so many wait, and refuses one more", async () => {
    const inTurn = limitConcurrency({ running: 2, waiting: 1 }, () => new Error("full"));
    const releases: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const work = () =>
      inTurn(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => releases.push(resolve));
        running -= 1;
        return "done";
      });
    const admitted = [work(), work(), work()];
    const refused = await work().catch((error: Error) => error.message);
    expect(refused).to.equal("full");
    while (running > 0) {
      releases.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(admitted)).to.deep.equal(["done", "done", "done"]);
    expect(most).to.equal(2);
  });

  it("gives the place of failed work to the next", async () => {
    const inTurn = limitConcurrency({ running: 1, waiting: 1 }, () => new Error("full"));
    const failed = inTurn(() => Promise.reject(new Error("failed"))).catch((error: Error) => error.message);
    const next = inTurn(async () => "done");
    expect(await failed).to.equal("failed");
    expect(await next).to.equal("done");
  });
});
