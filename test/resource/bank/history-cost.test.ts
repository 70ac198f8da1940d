import { expect } from "chai";
import { type HistoryRow, historyRatios } from "../../../scripts/bench/history/history-result.ts";
import { measureHistory } from "../../../scripts/bench/history/measure-history.ts";

describe("what a page of a long history costs", () => {
  let rows: readonly HistoryRow[];

  before(async () => {
    rows = await measureHistory({ transactions: 50_000, rounds: 0, onProgress: () => {} });
    expect(historyRatios(rows)).to.not.be.empty;
  });

  it("is about what the first page of a short one costs, on any page and in any span of time", () => {
    for (const { name, ratio, goal } of historyRatios(rows)) expect(ratio, name).to.be.at.least(goal);
  });

  it("does not read more than the page, its bounds and the access", () => {
    const mostOfBounds = 20;
    for (const { name, entries, buffers } of rows) {
      expect(buffers, name).to.be.at.most(entries + mostOfBounds);
    }
  });

  it("includes the number of all entries", () => {
    for (const { name, kind, totalCount } of rows) {
      if (kind !== "date-window") expect(totalCount, name).to.equal(name.startsWith("large") ? 5_000 : 1_000);
    }
  });
});
