import { expect } from "chai";
import { limitCallsAtOnce } from "../../../packages/resource/src/limits/calls-at-once.ts";
import { LimitRefusal } from "../../../packages/resource/src/limits/limit-refusal.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { startWaiting } from "../../support/stopwatch.ts";

describe("A call that waits for others of its TPP", function waiting() {
  this.timeout(60_000);

  it("is refused after three seconds", async () => {
    const run = limitCallsAtOnce({ callsAtOncePerTpp: 1 }, movableClock());
    let end = () => {};
    const first = run("tpp", () => new Promise<void>((resolve) => (end = resolve)));
    const [began, waiting] = [performance.now(), startWaiting()];
    const refused = await run("tpp", async () => undefined).catch((error: unknown) => error);
    const [lasted, waited] = [performance.now() - began, waiting()];
    end();
    await first;
    expect(refused).to.be.instanceOf(LimitRefusal).with.property("code", "calls_at_once");
    // Timers of Node.js may be a millisecond early.
    expect(lasted).to.be.at.least(2_990);
    expect(waited).to.be.below(6_000);
  });
});
