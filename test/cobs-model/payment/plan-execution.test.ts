import { daysBefore, nextBusinessDay, planExecution, readPaymentOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import { calendarsOf } from "../../../packages/cobs-model/src/payment/plan-execution.ts";
import { orderOf, TERMS, TYPES, wholePayment } from "./sample-payments.ts";

type Type = (typeof TYPES)[number];
type Input = { readonly priority?: string; readonly day?: string };

/** The plan of a payment that arrives at an instant, as `day` or `day changed`. */
function planOf(type: Type, now: string, { priority = "NORM", day }: Input = {}): string {
  const body = wholePayment(type);
  Object.assign(body, {
    requestedExecutionDate: day,
    paymentTypeInformation: { instructionPriority: priority },
  });
  const { executionDate, changed } = planExecution(orderOf(body, new Date(now)), TERMS, new Date(now));
  return changed ? `${executionDate} changed` : executionDate;
}

describe("the execution day of a payment (COBS A-72)", () => {
  it("is today before the cut-off time, and the next business day after it (TM01)", () => {
    expect(planOf("domestic", "2024-02-05T16:59:59+01:00")).to.equal("2024-02-05");
    expect(planOf("domestic", "2024-02-05T17:00:00+01:00")).to.equal("2024-02-06 changed");
    expect(planOf("domestic", "2024-02-09T17:00:00+01:00")).to.equal("2024-02-12 changed");
  });

  it("depends on a cut-off time by type and priority", () => {
    expect(planOf("domestic", "2024-02-05T14:00:00+01:00", { priority: "HIGH" })).to.equal(
      "2024-02-06 changed",
    );
    expect(planOf("domestic", "2024-02-05T14:00:00+01:00")).to.equal("2024-02-05");
    for (const type of ["inside-eea", "outside-eea"] as const)
      expect(planOf(type, "2024-02-05T14:00:00+01:00")).to.equal("2024-02-06 changed");
    expect(planOf("sepa", "2024-02-05T15:29:59+01:00")).to.equal("2024-02-05");
  });

  it("follows the bank's clock, also in summer", () => {
    expect(planOf("domestic", "2024-07-01T14:59:59Z")).to.equal("2024-07-01");
    expect(planOf("domestic", "2024-07-01T15:00:00Z")).to.equal("2024-07-02 changed");
    expect(planOf("domestic", "2024-07-01T22:30:00Z")).to.equal("2024-07-02");
  });

  it("is the next business day if today is none", () => {
    expect(planOf("domestic", "2024-02-10T10:00:00+01:00")).to.equal("2024-02-12 changed");
    expect(planOf("domestic", "2024-03-29T10:00:00+01:00")).to.equal("2024-04-02 changed");
  });

  it("is the requested day, whatever the time is now", () => {
    for (const type of TYPES)
      expect(planOf(type, "2024-02-05T23:00:00+01:00", { day: "2024-02-06" })).to.equal("2024-02-06");
  });

  it("is moved if today is requested after the cut-off time", () => {
    const day = "2024-02-05";
    expect(planOf("domestic", "2024-02-05T16:00:00+01:00", { day })).to.equal(day);
    expect(planOf("domestic", "2024-02-05T18:00:00+01:00", { day })).to.equal("2024-02-06 changed");
  });

  it("is moved if the requested day is not a business day", () => {
    for (const type of TYPES)
      expect(planOf(type, "2024-02-05T10:00:00+01:00", { day: "2024-02-10" })).to.equal("2024-02-12 changed");
  });

  it("is a Czech business day for all, and a TARGET day too unless the payment is domestic", () => {
    const now = "2024-02-05T10:00:00+01:00";
    expect(planOf("domestic", now, { day: "2024-10-28" })).to.equal("2024-10-29 changed");
    expect(planOf("sepa", now, { day: "2024-10-28" })).to.equal("2024-10-29 changed");
    expect(planOf("sepa", now, { day: "2024-12-25" })).to.equal("2024-12-27 changed");
  });

  it("is within the bank's limit of days ahead for every day that may be requested, whatever today is", () => {
    const terms = { ...TERMS, maxDaysAhead: 30 };
    for (const type of TYPES)
      for (let passed = 0; passed < 400; passed += 1) {
        const today = daysBefore("2024-12-31", -passed);
        const now = new Date(`${today}T09:00:00Z`);
        const read = (day: string) =>
          readPaymentOrder({ ...wholePayment(type), requestedExecutionDate: day }, terms, now);
        const last = read(daysBefore(today, -31)).faults[0]?.parameters?.LIMIT;
        const { order } = read(String(last));
        const planned = order && planExecution(order, terms, now).executionDate;
        expect(planned, `${type}, ${today}`)
          .to.be.a("string")
          .and.satisfy((day: string) => day <= daysBefore(today, -30));
        expect(
          nextBusinessDay(calendarsOf(type), daysBefore(String(last), -1)) > daysBefore(today, -30),
        ).to.equal(true);
      }
  });

  it("may be any day at any time for an instant payment", () => {
    for (const type of ["domestic", "sepa"] as const) {
      expect(planOf(type, "2024-02-10T23:59:00+01:00", { priority: "INST" })).to.equal("2024-02-10");
      expect(planOf(type, "2024-12-25T23:59:00+01:00", { priority: "INST", day: "2024-12-25" })).to.equal(
        "2024-12-25",
      );
    }
  });
});
