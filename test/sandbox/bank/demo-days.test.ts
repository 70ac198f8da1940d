import { expect } from "chai";
import { businessDayAfter, daysBefore } from "../../../packages/sandbox/src/bank/demo-days.ts";

/** The last of the days before an instant, which is over then. */
function dayBefore(asOf: string) {
  const day = daysBefore(new Date(asOf)).at(-1);
  if (day === undefined) throw new TypeError("two years have days");
  return day;
}

describe("Days of the demo bank", () => {
  it("handle after weekends and holidays what was due then, even if that was in another month", () => {
    const dueOn = (date: string) => {
      const day = daysBefore(new Date("2026-06-10T12:00:00Z")).find((each) => each.date === date);
      return [...(day?.dueDays ?? [])];
    };
    const [april, march] = [2026 * 12 + 3, 2026 * 12 + 2];
    expect(dueOn("2026-04-06")).to.deep.equal([]);
    expect(dueOn("2026-04-07")).to.deep.equal([7, 6, 5, 4, 3].map((day) => [day, april]));
    expect(dueOn("2026-03-02")).to.deep.equal([
      [2, march],
      [1, march],
      [28, march - 1],
    ]);
  });

  for (const [asOf, days, expected] of [
    ["2026-06-10T12:00:00Z", 2, "2026-06-11"],
    ["2026-06-12T12:00:00Z", 2, "2026-06-15"],
    ["2026-06-13T12:00:00Z", 2, "2026-06-15"],
    ["2026-06-14T12:00:00Z", 2, "2026-06-15"],
    ["2026-04-02T12:00:00Z", 2, "2026-04-07"],
    ["2025-12-23T12:00:00Z", 2, "2025-12-29"],
  ] as const)
    it(`have ${expected} as the business day ${days} days after the one before ${asOf}`, () => {
      expect(businessDayAfter(dayBefore(asOf), days)).to.equal(expected);
    });
});
