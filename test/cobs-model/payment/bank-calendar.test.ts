import { daysBefore, nextBusinessDay } from "@cobs/cobs-model";
import { expect } from "chai";
import { type BankCalendar, isBusinessDay } from "../../../packages/cobs-model/src/payment/bank-calendar.ts";

/** Table: Good Friday and Easter Monday, as the churches' calendars print them. */
const EASTER: Readonly<Record<string, readonly [string, string]>> = {
  2024: ["2024-03-29", "2024-04-01"],
  2025: ["2025-04-18", "2025-04-21"],
  2026: ["2026-04-03", "2026-04-06"],
  2027: ["2027-03-26", "2027-03-29"],
  2028: ["2028-04-14", "2028-04-17"],
  2029: ["2029-03-30", "2029-04-02"],
  2030: ["2030-04-19", "2030-04-22"],
};

/** Table: the other holidays of each year (Act 245/2000 Coll.; ECB guideline on TARGET). */
const FIXED: Readonly<Record<BankCalendar, string>> = {
  czech: "01-01 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26",
  target: "01-01 05-01 12-25 12-26",
};

function daysOf(year: string): readonly string[] {
  const days = [`${year}-01-01`];
  while (days.at(-1) !== `${year}-12-31`) days.push(daysBefore(days.at(-1) ?? "", -1));
  return days;
}

const isWeekend = (day: string) => /Sat|Sun/.test(new Date(`${day}T12:00:00Z`).toUTCString());

for (const calendar of ["czech", "target"] as const)
  describe(`the business days of the ${calendar} calendar (A-72)`, () => {
    for (const [year, easter] of Object.entries(EASTER))
      it(`are those of ${year} without weekends and holidays`, () => {
        const fixed = FIXED[calendar].split(" ").map((day) => `${year}-${day}`);
        const closed = [...fixed, ...easter].filter((day) => !isWeekend(day)).sort();
        const found = daysOf(year).filter((day) => !isWeekend(day) && !isBusinessDay(calendar, day));
        expect(found).to.deep.equal(closed);
      });

    it("include no weekend", () => {
      for (const day of daysOf("2026").filter(isWeekend))
        expect(isBusinessDay(calendar, day)).to.equal(false);
    });
  });

describe("Easter", () => {
  for (const friday of [
    "1954-04-16",
    "1981-04-17",
    "2000-04-21",
    "2038-04-23",
    "2049-04-16",
    "2076-04-17",
    "2285-03-20",
  ])
    it(`follows Good Friday ${friday}, in a year where simpler rules are wrong`, () => {
      expect(isBusinessDay("target", friday)).to.equal(false);
      expect(isBusinessDay("target", daysBefore(friday, -3))).to.equal(false);
      expect(isBusinessDay("target", daysBefore(friday, 1))).to.equal(true);
      expect(isBusinessDay("target", daysBefore(friday, -4))).to.equal(true);
    });
});

describe("the next business day", () => {
  it("is the day itself if that is one", () => {
    expect(nextBusinessDay(["czech"], "2024-02-05")).to.equal("2024-02-05");
  });

  it("skips holidays and weekends in a row", () => {
    expect(nextBusinessDay(["czech"], "2024-03-29")).to.equal("2024-04-02");
    expect(nextBusinessDay(["target"], "2025-12-25")).to.equal("2025-12-29");
    expect(nextBusinessDay(["czech"], "2030-12-24")).to.equal("2030-12-27");
    expect(nextBusinessDay(["czech"], "2027-12-31")).to.equal("2027-12-31");
  });

  it("must be one in every given calendar", () => {
    expect(nextBusinessDay(["target"], "2024-10-28")).to.equal("2024-10-28");
    expect(nextBusinessDay(["czech", "target"], "2024-10-28")).to.equal("2024-10-29");
  });
});
