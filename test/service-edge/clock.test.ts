import { clockOf } from "@cobs/service-edge";
import { expect } from "chai";

const HOUR = 3_600_000;

describe("Clock of a machine", () => {
  let machine: { wall: number; running: number };
  /** How much passes by the clock while its machine changes, and the clock is looked at. */
  const passedWhile = (change: (look: () => number) => void) => {
    machine = { wall: Date.parse("2027-03-28T00:59:59Z"), running: 5_000 };
    const clock = clockOf({ wall: () => machine.wall, running: () => machine.running });
    const before = clock.monotonicMilliseconds();
    change(clock.monotonicMilliseconds);
    return clock.monotonicMilliseconds() - before;
  };

  it("counts the time for which the machine was suspended, although the running time stood still", () => {
    const passed = passedWhile(() => {
      machine.wall += 36 * HOUR + 2;
      machine.running += 2;
    });
    expect(passed).to.equal(36 * HOUR + 2);
  });

  it("never goes backwards or stands still when the wall clock is set back (CLK-02)", () => {
    const passed = passedWhile(() => {
      machine.wall -= HOUR;
      machine.running += 2;
    });
    expect(passed).to.equal(2);
  });

  it("counts each suspension once, however short it was and however often the clock is read", () => {
    const passed = passedWhile((look) => {
      for (const slept of [HOUR, 0, 250, 0]) {
        machine.wall += slept;
        look();
      }
    });
    expect(passed).to.equal(HOUR + 250);
  });

  it("does not count gradual correction of the wall clock as suspension, however long it lasts", () => {
    const passed = passedWhile((look) => {
      for (let bits = 0; bits < 100; bits += 1) {
        machine.wall += 249;
        look();
      }
    });
    expect(passed).to.equal(0);
  });
});
