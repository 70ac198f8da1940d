import { bankDayOf, daysBefore, endOfBankDay, isCalendarDay, startOfBankDay } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { presentBankTime } from "../../packages/cobs-model/src/bank-day.ts";
import { heapAfterCollection } from "../support/heap-after-collection.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** 01:00 UTC on the last Sunday of a month of 31 days, as Directive 2000/84/EC turns the clocks. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31, 1));
  return last.getTime() - last.getUTCDay() * DAY_MS;
}

/** Hours ahead of UTC by the directive, worked out apart from any table of time zones. */
function hoursAhead(time: number): number {
  const year = new Date(time).getUTCFullYear();
  return time >= lastSunday(year, 2) && time < lastSunday(year, 9) ? 2 : 1;
}

/** A time of the years that the directive holds for. */
const time = () => fc.integer({ min: Date.UTC(1997, 0, 1), max: Date.UTC(2150, 0, 1) });

/** A time close to one of the two changes of a year. */
const timeOfChange = () =>
  fc
    .tuple(
      fc.integer({ min: 1997, max: 2150 }),
      fc.constantFrom(2, 9),
      fc.integer({ min: -50 * HOUR_MS, max: 50 * HOUR_MS }),
    )
    .map(([year, month, distance]) => lastSunday(year, month) + distance);

const lengthInHours = (day: string) =>
  (endOfBankDay(day).getTime() - startOfBankDay(day).getTime()) / HOUR_MS;

describe("a bank-local day (COBS 3.1.5, A-09)", () => {
  for (const [day, start, hours] of [
    ["2024-05-02", "2024-05-01T22:00:00.000Z", 24],
    ["2024-01-15", "2024-01-14T23:00:00.000Z", 24],
    ["2024-03-31", "2024-03-30T23:00:00.000Z", 23],
    ["2024-04-01", "2024-03-31T22:00:00.000Z", 24],
    ["2024-10-27", "2024-10-26T22:00:00.000Z", 25],
    ["2024-10-28", "2024-10-27T23:00:00.000Z", 24],
    ["2024-02-29", "2024-02-28T23:00:00.000Z", 24],
    ["1916-05-01", "1916-04-30T22:00:00.000Z", 24],
    ["1916-10-01", "1916-09-30T22:00:00.000Z", 25],
    ["1900-01-01", "1899-12-31T23:00:00.000Z", 24],
    ["9999-12-31", "9999-12-30T23:00:00.000Z", 24],
  ] as const) {
    it(`${day} begins at ${start} and has ${hours} hours`, () => {
      expect(startOfBankDay(day).toISOString()).to.equal(start);
      expect(lengthInHours(day)).to.equal(hours);
    });
  }

  it("begins at midnight by the rules of summer time, also at clock changes and on leap days", () => {
    fc.assert(
      fc.property(fc.oneof(time(), timeOfChange()), (instant) => {
        const midnight = Math.floor(instant / DAY_MS) * DAY_MS;
        const day = new Date(midnight).toISOString().slice(0, 10);
        const expected = midnight - hoursAhead(midnight - HOUR_MS) * HOUR_MS;
        expect(startOfBankDay(day).getTime()).to.equal(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it("contains every instant that falls on it", () => {
    fc.assert(
      fc.property(fc.oneof(time(), timeOfChange()), (instant) => {
        const day = bankDayOf(new Date(instant));
        expect(day).to.equal(new Date(instant + hoursAhead(instant) * HOUR_MS).toISOString().slice(0, 10));
        expect(startOfBankDay(day).getTime()).to.be.at.most(instant);
        expect(endOfBankDay(day).getTime()).to.be.above(instant);
      }),
      { numRuns: 1000 },
    );
  });

  it("ends exactly when the next one begins, in any year", () => {
    const day = fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(9999, 11, 30) });
    fc.assert(
      fc.property(day, (instant) => {
        const each = new Date(instant).toISOString().slice(0, 10);
        const next = daysBefore(each, -1);
        expect(endOfBankDay(each).getTime()).to.equal(startOfBankDay(next).getTime());
        expect(bankDayOf(startOfBankDay(next))).to.equal(next);
        expect(bankDayOf(new Date(startOfBankDay(next).getTime() - 1))).to.equal(each);
      }),
      { numRuns: 500 },
    );
  });

  it("plus or minus a number of days follows the calendar, not hours", () => {
    expect(daysBefore("2024-03-01", 1)).to.equal("2024-02-29");
    expect(daysBefore("2023-03-01", 1)).to.equal("2023-02-28");
    expect(daysBefore("2024-01-01", 1)).to.equal("2023-12-31");
    expect(daysBefore("2024-11-20", 90)).to.equal("2024-08-22");
    expect(daysBefore("2024-03-31", -1)).to.equal("2024-04-01");
    expect(daysBefore("2024-03-31", 0)).to.equal("2024-03-31");
  });

  for (const day of [
    "2026-02-30",
    "2023-02-29",
    "1900-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-01-00",
    "2024-1-1",
    "24-01-01",
    "999-01-01",
    "",
    "2024-01-01 ",
    "٢٠٢٤-01-01",
  ]) {
    it(`cannot be ${JSON.stringify(day)}`, () => {
      expect(isCalendarDay(day)).to.equal(false);
      expect(() => startOfBankDay(day)).to.throw(RangeError);
    });
  }

  it("is cached beside at most 20,000 others, however many are asked for", () => {
    const HELD = 20_000;
    const heapAfterDaysFrom = (first: string): number => {
      let day = first;
      for (let count = 0; count < HELD; count += 1) {
        startOfBankDay(day);
        day = daysBefore(day, -1);
      }
      return heapAfterCollection();
    };
    const before = heapAfterDaysFrom("2200-01-01");
    expect((heapAfterDaysFrom("2300-01-01") - before) / HELD, "bytes each").to.be.below(20);
  });

  it("exists up to the last day of its month, and not beyond", () => {
    const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (const [month, length] of lengths.entries()) {
      const dayOf = (day: number) => `2023-${String(month + 1).padStart(2, "0")}-${day}`;
      expect(isCalendarDay(dayOf(length)), dayOf(length)).to.equal(true);
      expect(isCalendarDay(dayOf(length + 1)), dayOf(length + 1)).to.equal(false);
    }
  });

  it("can be 29 February only in Gregorian leap years", () => {
    const years = [1904, 2000, 2023, 2024, 2100, 2400].filter((year) => isCalendarDay(`${year}-02-29`));
    expect(years).to.deep.equal([1904, 2000, 2024, 2400]);
  });
});

describe("a bank time on the wire (COBS 3.1.5, A-42)", () => {
  for (const [instant, written] of [
    ["2024-05-02T10:15:00.000Z", "2024-05-02T12:15:00.000+02:00"],
    ["2024-01-31T23:30:00.500Z", "2024-02-01T00:30:00.500+01:00"],
    ["2024-03-31T00:59:59.999Z", "2024-03-31T01:59:59.999+01:00"],
    ["2024-03-31T01:00:00.000Z", "2024-03-31T03:00:00.000+02:00"],
    ["2024-10-27T00:30:00.000Z", "2024-10-27T02:30:00.000+02:00"],
    ["2024-10-27T01:30:00.000Z", "2024-10-27T02:30:00.000+01:00"],
  ] as const) {
    it(`is ${written} for ${instant}`, () => {
      expect(presentBankTime(new Date(instant))).to.equal(written);
    });
  }

  it("denotes the same instant, on the bank-local day of that instant", () => {
    fc.assert(
      fc.property(fc.oneof(time(), timeOfChange()), (instant) => {
        const written = presentBankTime(new Date(instant));
        expect(Date.parse(written)).to.equal(instant);
        expect(written.slice(0, 10)).to.equal(bankDayOf(new Date(instant)));
        expect(written).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0[12]:00$/);
      }),
      { numRuns: 1000 },
    );
  });
});
