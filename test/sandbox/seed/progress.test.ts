import { expect } from "chai";
import { openProgress, presentProgress } from "../../../packages/sandbox/src/seed/progress.ts";

describe("Progress of a seeding", () => {
  it("shows how far it is, how fast, and how long it will take", () => {
    expect(presentProgress({ done: 2_500_000, total: 10_000_000, milliseconds: 25_000 })).to.equal(
      "2,500,000 of 10,000,000 transactions (25 %), 100,000/s, 1 min 15 s left",
    );
    expect(presentProgress({ done: 0, total: 10, milliseconds: 0 })).to.equal(
      "0 of 10 transactions (0 %), 0/s",
    );
  });

  it("is shown now and then, on a terminal in one line that is cleared at the end", () => {
    let now = 0;
    const told: string[] = [];
    const progress = openProgress(100, {
      write: (text) => told.push(text),
      isTerminal: true,
      now: () => now,
    });
    progress.waits();
    for (const done of [10, 20, 30, 110]) {
      now += 150;
      progress.reached(done);
    }
    progress.ended();
    expect(told).to.deep.equal([
      "\rwaiting for another run with this --seed\u001b[K",
      "\r20 of 100 transactions (20 %), 67/s, 2 s left\u001b[K",
      "\r100 of 100 transactions (100 %), 167/s, 0 s left\u001b[K",
      "\r\u001b[K",
    ]);
  });
});
