import { expect } from "chai";
import { CircuitState, type IBreaker } from "cockatiel";
import { createSamplingBreaker } from "../../packages/resource/src/bank/http-connector/sampling-breaker.ts";
import { type MovableClock, movableClock } from "../support/movable-clock.ts";

const LASTING_MILLISECONDS = 10_000;
const HOUR_MILLISECONDS = 3_600_000;

describe("the breaker of a circuit", () => {
  let clock: MovableClock;
  let breaker: IBreaker;
  beforeEach(() => {
    clock = movableClock();
    breaker = createSamplingBreaker(
      { leastCalls: 5, mayFail: 0.5, lastingMilliseconds: LASTING_MILLISECONDS },
      clock,
    );
  });

  const succeed = (times: number) => {
    for (let call = 0; call < times; call += 1) breaker.success(CircuitState.Closed);
  };
  /** Whether each of so many failures, after so long each, would open the circuit. */
  const failEach = (milliseconds: number, times: number): readonly boolean[] =>
    Array.from({ length: times }, () => {
      clock.advance(milliseconds);
      return breaker.failure(CircuitState.Closed);
    });
  const AT_THE_FIFTH = [false, false, false, false, true];

  it("breaks at the fifth failure within its time window", () => {
    expect(failEach(LASTING_MILLISECONDS / 5 - 1, 5)).to.deep.equal(AT_THE_FIFTH);
  });

  it("does not break on failures an hour apart, however many", () => {
    expect(failEach(HOUR_MILLISECONDS, 20)).not.to.include(true);
  });

  it("does not break on fewer than five calls within its window", () => {
    expect(failEach(LASTING_MILLISECONDS / 4, 20)).not.to.include(true);
  });

  it("ignores successes from before its window", () => {
    succeed(1_000);
    clock.advance(HOUR_MILLISECONDS);
    expect(failEach(1_000, 5)).to.deep.equal(AT_THE_FIFTH);
    succeed(1_000);
    clock.advance(LASTING_MILLISECONDS);
    expect(failEach(1, 5)).to.deep.equal(AT_THE_FIFTH);
  });

  it("counts newer successes among expired ones, and breaks when more than half of the calls failed", () => {
    succeed(1_000);
    clock.advance(LASTING_MILLISECONDS - 1_000);
    succeed(5);
    clock.advance(1_000);
    expect(failEach(1, 6)).to.deep.equal([false, ...AT_THE_FIFTH]);
  });

  it("ignores successes from before its window also when the wall clock was set back meanwhile", () => {
    succeed(1_000);
    clock.setWall(-HOUR_MILLISECONDS);
    clock.advance(LASTING_MILLISECONDS);
    expect(failEach(1_000, 5)).to.deep.equal(AT_THE_FIFTH);
  });

  it("breaks at once when a trial fails, and starts afresh when one succeeds", () => {
    expect(breaker.failure(CircuitState.HalfOpen)).to.equal(true);
    failEach(1, 10);
    breaker.success(CircuitState.HalfOpen);
    expect(failEach(1, 4)).to.deep.equal([false, false, false, true]);
  });
});
