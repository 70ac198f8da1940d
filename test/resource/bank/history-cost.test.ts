import { expect } from "chai";
import { type HistoryRow, historyRatios } from "../../../scripts/bench/history/history-result.ts";
import { measureHistory } from "../../../scripts/bench/history/measure-history.ts";

describe("the cost of a page of a long history", () => {
  let rows: readonly HistoryRow[];

  before(async () => {
    rows = await measureHistory({ transactions: 50_000, rounds: 0, onProgress: () => {} });
    expect(historyRatios(rows)).to.not.be.empty;
  });

  it("is about that of the first page of a short history, for any page and any time span", () => {
    for (const { name, ratio, goal } of historyRatios(rows)) expect(ratio, name).to.be.at.least(goal);
  });

  it("covers little more than the page's entries: at most 20 further buffers", () => {
    const mostOfBounds = 20;
    for (const { name, entries, buffers } of rows) {
      expect(buffers, name).to.be.at.most(entries + mostOfBounds);
    }
  });

  it("includes counting all entries", () => {
    for (const { name, kind, totalCount } of rows) {
      if (kind !== "date-window") expect(totalCount, name).to.equal(name.startsWith("large") ? 5_000 : 1_000);
    }
  });
});
