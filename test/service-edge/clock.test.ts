import { clockOf } from "@cobs/service-edge";
import { expect } from "chai";

const HOUR = 3_600_000;

describe("the clock of a machine", () => {
  let machine: { wall: number; running: number };
  /** How much passes by the clock while its machine changes, and the clock is looked at. */
  const passedWhile = (change: (look: () => number) => void) => {
    machine = { wall: Date.parse("2027-03-28T00:59:59Z"), running: 5_000 };
    const clock = clockOf({ wall: () => machine.wall, running: () => machine.running });
    const before = clock.monotonicMilliseconds();
    change(clock.monotonicMilliseconds);
    return clock.monotonicMilliseconds() - before;
  };

  it("counts the time for which the machine was suspended, though what counts its running time stood still", () => {
    const passed = passedWhile(() => {
      machine.wall += 36 * HOUR + 2;
      machine.running += 2;
    });
    expect(passed).to.equal(36 * HOUR + 2);
  });

  it("never goes backwards, nor stands still, where the wall clock is set back (CLK-02)", () => {
    const passed = passedWhile(() => {
      machine.wall -= HOUR;
      machine.running += 2;
    });
    expect(passed).to.equal(2);
  });

  it("counts each sleep once, however short it was and however often it is looked at", () => {
    const passed = passedWhile((look) => {
      for (const slept of [HOUR, 0, 250, 0]) {
        machine.wall += slept;
        look();
      }
    });
    expect(passed).to.equal(HOUR + 250);
  });

  it("takes for no sleep what a clock is set right by bit by bit, however long that goes on", () => {
    const passed = passedWhile((look) => {
      for (let bits = 0; bits < 100; bits += 1) {
        machine.wall += 249;
        look();
      }
    });
    expect(passed).to.equal(0);
  });
});
