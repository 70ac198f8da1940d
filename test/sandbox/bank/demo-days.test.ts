import { expect } from "chai";
import { businessDayAfter, daysBefore } from "../../../packages/sandbox/src/bank/demo-days.ts";

/** The last of the days before an instant, which is over then. */
function dayBefore(asOf: string) {
  const day = daysBefore(new Date(asOf)).at(-1);
  if (day === undefined) throw new TypeError("two years have days");
  return day;
}

describe("the days of the demo bank", () => {
  for (const [asOf, days, expected] of [
    ["2026-06-10T12:00:00Z", 2, "2026-06-11"],
    ["2026-06-12T12:00:00Z", 2, "2026-06-15"],
    ["2026-06-13T12:00:00Z", 2, "2026-06-15"],
    ["2026-06-14T12:00:00Z", 2, "2026-06-15"],
  ] as const)
    it(`have ${expected} as the business day that is ${days} days after the one before ${asOf}`, () => {
      expect(businessDayAfter(dayBefore(asOf), days)).to.equal(expected);
    });
});
