import { expect } from "chai";
import { requireInTime } from "../../../packages/psd2-certificates/src/revocation/answer-times.ts";

const FROM = Date.parse("2027-01-01T00:00:00Z");
const HOUR = 3_600_000;
const MINUTE = 60_000;

describe("the times of an answer about revocation", () => {
  const judge = (at: number, nextUpdate = FROM + HOUR, thisUpdate = FROM) =>
    requireInTime({ thisUpdate: new Date(thisUpdate), nextUpdate: new Date(nextUpdate) }, new Date(at));

  it("hold five minutes before and after, for the sake of clocks that differ, and no longer", () => {
    for (const at of [FROM - 5 * MINUTE, FROM + HOUR + 5 * MINUTE]) expect(judge(at)).to.equal(FROM + HOUR);
    expect(() => judge(FROM - 5 * MINUTE - 1)).to.throw("it is of the future");
    expect(() => judge(FROM + HOUR + 5 * MINUTE + 1)).to.throw("it is stale");
  });

  it("end a quarter of an hour after their beginning where they say no end (RFC 6960 2.4)", () => {
    const endless = { thisUpdate: new Date(FROM), nextUpdate: undefined };
    expect(requireInTime(endless, new Date(FROM))).to.equal(FROM + 15 * MINUTE);
  });

  it("are none where they end before they begin, or are no times", () => {
    expect(() => judge(FROM, FROM - 1)).to.throw("it ends before it begins");
    for (const times of [
      [Number.NaN, FROM],
      [FROM + HOUR, Number.NaN],
    ] as const)
      expect(() => judge(FROM, ...times)).to.throw();
  });
});
