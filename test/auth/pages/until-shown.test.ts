import { expect } from "chai";
import { untilShown } from "./until-shown.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("The wait until a time of day in Prague", () => {
  for (const [when, now, shown, expected] of [
    ["on any day", "2027-06-01T10:00:00Z", "12:10", 10 * MINUTE],
    ["in the morning", "2027-06-01T02:33:24Z", "4:37", 3 * MINUTE + 36 * SECOND],
    ["within a minute", "2027-06-01T10:00:20Z", "12:01", 40 * SECOND],
    ["after midnight", "2027-06-01T22:00:21Z", "0:10", 9 * MINUTE + 39 * SECOND],
    ["past midnight", "2027-06-01T21:55:00Z", "00:05", 10 * MINUTE],
    ["when summer time begins", "2027-03-28T00:52:00Z", "03:02", 10 * MINUTE],
    ["when summer time ends", "2027-10-31T00:52:00Z", "02:02", 10 * MINUTE],
    ["on the longest day", "2027-10-30T22:30:00Z", "00:29", 1_499 * MINUTE],
  ] as const) {
    it(`is right ${when}`, () => {
      expect(untilShown(shown, new Date(now))).to.equal(expected);
    });
  }

  it("is refused for a time that never comes", () => {
    expect(() => untilShown("24:30", new Date("2027-03-28T00:30:00Z"))).to.throw(/never 24:30/);
  });
});
