import { expect } from "chai";
import { warmUp } from "../../../scripts/bench/warm-up.ts";

const MOST = 12;

/** How many windows a server gets that costs so much in each, and the last of them for ever. */
async function windowsOf(...costs: number[]): Promise<number> {
  let windows = 0;
  await warmUp(async () => costs[Math.min(windows++, costs.length - 1)] ?? Number.NaN, MOST);
  return windows;
}

describe("Warm-up before a measurement", () => {
  it("ends after five windows in a row that cost about the same", async () => {
    expect(await windowsOf(100)).to.equal(5);
    expect(await windowsOf(100, 107, 100, 107, 100)).to.equal(5);
  });

  it("counts the newest windows, not those from before the code was compiled", async () => {
    expect(await windowsOf(300, 200, 150, 100)).to.equal(8);
    expect(await windowsOf(100, 100, 100, 100, 120, 120, 120)).to.equal(9);
  });

  it("ends after the largest allowed number of windows in any case", async () => {
    expect(await windowsOf(...Array.from({ length: 40 }, (_, at) => 1_000 - at * 50))).to.equal(MOST);
  });
});
