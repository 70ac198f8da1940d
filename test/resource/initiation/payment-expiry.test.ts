import { expect } from "chai";
import { expiryOf } from "../../../packages/resource/src/initiation/payment-expiry.ts";

const ASKED = { requestedExecutionDate: "2026-07-31" };
const UNASKED = { requestedExecutionDate: undefined };

describe("the time to approve a payment", () => {
  const expiry = (order: typeof ASKED | typeof UNASKED, day: string, now: string) =>
    expiryOf(order, day, { now: new Date(now), minutes: 30 }).toISOString();

  it("is as long as the bank has chosen", () => {
    expect(expiry(ASKED, "2026-07-31", "2026-07-31T10:00:00Z")).to.equal("2026-07-31T10:30:00.000Z");
  });

  it("ends with the execution day in Prague if the TPP asked for that day", () => {
    expect(expiry(ASKED, "2026-07-31", "2026-07-31T21:50:00Z")).to.equal("2026-07-31T22:00:00.000Z");
  });

  it("goes on past midnight if the bank chose another day, or none was asked for", () => {
    expect(expiry(ASKED, "2026-08-03", "2026-07-31T21:50:00Z")).to.equal("2026-07-31T22:20:00.000Z");
    expect(expiry(UNASKED, "2026-07-31", "2026-07-31T21:50:00Z")).to.equal("2026-07-31T22:20:00.000Z");
  });
});
