import { clockOf } from "@cobs/service-edge";
import { expect } from "chai";

const HOUR = 3_600_000;

describe("the clock of a machine", () => {
  let machine: { wall: number; running: number };
  const passedWhile = (change: () => void) => {
    machine = { wall: Date.parse("2027-03-28T00:59:59Z"), running: 5_000 };
    const clock = clockOf({ wall: () => machine.wall, running: () => machine.running });
    const before = clock.monotonicMilliseconds();
    change();
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

  it("counts nothing twice while the wall clock is set right bit by bit", () => {
    const passed = passedWhile(() => {
      machine.wall += HOUR + 100;
      machine.running += HOUR;
    });
    expect(passed).to.equal(HOUR);
  });
});
