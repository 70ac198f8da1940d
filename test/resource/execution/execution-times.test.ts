import { startOfBankDay } from "@cobs/cobs-model";
import { expect } from "chai";
import { isLate, nextLook } from "../../../packages/resource/src/execution/execution-times.ts";

const DAY = "2026-03-02";
const MORNING = startOfBankDay(DAY).getTime();
const NOON = MORNING + 12 * 3_600_000;

/** Milliseconds until the next look at a payment that the bank has accepted, so many milliseconds after that. */
function pauseAfter(waited: number, accepted = NOON, { isInstant = false, attempt = 2 } = {}): number {
  const now = new Date(accepted + waited);
  const lease = { executionDate: DAY, since: new Date(accepted), isInstant, attempt };
  const { afterMilliseconds, notBefore } = nextLook(lease, now);
  return Math.max(afterMilliseconds, (notBefore?.getTime() ?? 0) - now.getTime());
}

describe("The next look at an accepted payment", () => {
  it("comes after as long again as the wait so far, at least half a second and at most a minute", () => {
    const waited = [0, 499, 501, 4_000, 59_999, 60_001, 86_400_000];
    expect(waited.map((each) => pauseAfter(each))).to.deep.equal([
      500, 500, 501, 4_000, 59_999, 60_000, 60_000,
    ]);
  });

  it("is timed from the beginning of the payment's day, and does not come before it", () => {
    const yesterday = MORNING - 80_000_000;
    expect(pauseAfter(80_000_000 - 30_000, yesterday)).to.equal(30_000);
    expect(pauseAfter(80_000_000 + 700, yesterday)).to.equal(700);
  });

  it("comes within seconds for an instant one, although another process's clock was behind at the acceptance", () => {
    const instant = [2, 3, 20].map((attempt) => pauseAfter(60_000, NOON, { isInstant: true, attempt }));
    expect(instant).to.deep.equal([2_000, 4_000, 60_000]);
    expect(pauseAfter(700, NOON, { isInstant: true, attempt: 20 })).to.equal(700);
  });

  it("comes no sooner because another process's clock was ahead at the acceptance", () => {
    expect(pauseAfter(-30_000)).to.equal(30_000);
  });
});

describe("An accepted payment that has not ended", () => {
  const HOUR = 3_600_000;
  const isLateAt = (at: number, accepted = NOON, isInstant = false, stored = at) => {
    const [since, takenAt] = [new Date(accepted), new Date(stored)];
    return isLate({ executionDate: DAY, since, takenAt, isInstant }, new Date(at));
  };

  it("is late six hours after its day", () => {
    expect([30 * HOUR - 1, 30 * HOUR].map((each) => isLateAt(MORNING + each))).to.deep.equal([false, true]);
  });

  it("is late six hours after its acceptance if its day was over then", () => {
    const accepted = MORNING + 100 * HOUR;
    const after = [6 * HOUR - 1, 6 * HOUR].map((each) => isLateAt(accepted + each, accepted));
    expect(after).to.deep.equal([false, true]);
  });

  it("is late a quarter of an hour after its acceptance, or the beginning of its day, if it is instant", () => {
    for (const [begun, accepted] of [
      [NOON, NOON],
      [MORNING, MORNING - HOUR],
    ] as const) {
      const after = [HOUR / 4 - 1, HOUR / 4].map((each) => isLateAt(begun + each, accepted, true));
      expect(after).to.deep.equal([false, true]);
    }
  });

  it("is late only if it is by the store's clock and by that of the process", () => {
    const ahead = NOON + HOUR;
    expect(isLateAt(ahead, NOON, true, NOON)).to.equal(false);
    expect(isLateAt(NOON, NOON, true, ahead)).to.equal(false);
    expect(isLateAt(ahead, NOON, true, ahead)).to.equal(true);
  });
});
