import { expect } from "chai";
import { requireInTime } from "../../../packages/psd2-certificates/src/revocation/answer-times.ts";

const FROM = Date.parse("2027-01-01T00:00:00Z");
const HOUR = 3_600_000;
const MINUTE = 60_000;

describe("The times of a revocation answer", () => {
  const judge = (at: number, nextUpdate = FROM + HOUR, thisUpdate = FROM) =>
    requireInTime({ thisUpdate: new Date(thisUpdate), nextUpdate: new Date(nextUpdate) }, new Date(at));

  it("are tolerated up to five minutes early or late, as clocks differ", () => {
    for (const at of [FROM - 5 * MINUTE, FROM + HOUR + 5 * MINUTE]) expect(judge(at)).to.equal(FROM + HOUR);
    expect(() => judge(FROM - 5 * MINUTE - 1)).to.throw("thisUpdate is in the future");
    expect(() => judge(FROM + HOUR + 5 * MINUTE + 1)).to.throw("the answer expired at");
  });

  it("end a quarter of an hour after they begin if no end is given (RFC 6960 2.4)", () => {
    const endless = { thisUpdate: new Date(FROM), nextUpdate: undefined };
    expect(requireInTime(endless, new Date(FROM))).to.equal(FROM + 15 * MINUTE);
  });

  it("are refused if they end before they begin, or are invalid", () => {
    expect(() => judge(FROM, FROM - 1)).to.throw("nextUpdate is before thisUpdate");
    for (const times of [
      [Number.NaN, FROM],
      [FROM + HOUR, Number.NaN],
    ] as const)
      expect(() => judge(FROM, ...times)).to.throw();
  });
});
