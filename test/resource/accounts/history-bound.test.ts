import { expect } from "chai";
import {
  historyBoundOf,
  startOfRecentHistory,
} from "../../../packages/resource/src/accounts/history-bound.ts";

const NOW = new Date("2026-06-15T09:30:00Z");
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe("the reach of a transaction history (RTS Article 10a(1)(b))", () => {
  it("is 90 bank days, each beginning at midnight in Prague", () => {
    expect(startOfRecentHistory(NOW).toISOString()).to.equal("2026-03-16T23:00:00.000Z");
    expect(startOfRecentHistory(new Date("2026-06-15T21:59:59Z")).toISOString()).to.equal(
      "2026-03-16T23:00:00.000Z",
    );
    expect(startOfRecentHistory(new Date("2026-06-15T22:00:00Z")).toISOString()).to.equal(
      "2026-03-17T23:00:00.000Z",
    );
  });

  it("starts at midnight also across the change to or from summer time", () => {
    expect(startOfRecentHistory(new Date("2026-12-01T12:00:00Z")).toISOString()).to.equal(
      "2026-09-01T22:00:00.000Z",
    );
  });

  it("is unlimited only for the given minutes after the PSU was authenticated", () => {
    expect(historyBoundOf(NOW, ago(0), 30).getTime()).to.be.below(Date.parse("1900-01-01"));
    expect(historyBoundOf(NOW, ago(29.99), 30).getTime()).to.be.below(Date.parse("1900-01-01"));
    expect(historyBoundOf(NOW, ago(30), 30)).to.deep.equal(startOfRecentHistory(NOW));
    expect(historyBoundOf(NOW, ago(0), 0)).to.deep.equal(startOfRecentHistory(NOW));
  });

  it("is limited when it is unknown when the PSU was authenticated", () => {
    expect(historyBoundOf(NOW, undefined, 30)).to.deep.equal(startOfRecentHistory(NOW));
  });
});
