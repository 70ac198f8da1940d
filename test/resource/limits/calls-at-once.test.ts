import { expect } from "chai";
import { limitCallsAtOnce } from "../../../packages/resource/src/limits/calls-at-once.ts";
import { LimitRefusal } from "../../../packages/resource/src/limits/limit-refusal.ts";
import { movableClock } from "../../support/movable-clock.ts";

describe("A call that waits for others of its TPP", function waiting() {
  this.timeout(60_000);

  it("is refused after three seconds", async () => {
    const run = limitCallsAtOnce({ callsAtOncePerTpp: 1 }, movableClock());
    let end = () => {};
    const first = run("tpp", () => new Promise<void>((resolve) => (end = resolve)));
    const began = performance.now();
    const refused = await run("tpp", async () => undefined).catch((error: unknown) => error);
    const waited = performance.now() - began;
    end();
    await first;
    expect(refused).to.be.instanceOf(LimitRefusal).with.property("code", "calls_at_once");
    // Timers of Node.js may be a millisecond early, and late on a busy machine.
    expect(waited).to.be.within(2_990, 6_000);
  });
});
