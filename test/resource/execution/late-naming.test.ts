import { expect } from "chai";
import { createLateNaming } from "../../../packages/resource/src/execution/late-naming.ts";
import { createPaymentId } from "../../../packages/resource/src/payments/payment-ids.ts";

const MINUTE = 60_000;

describe("The naming of late payments", () => {
  it("happens once an hour for each", () => {
    const isToBeNamed = createLateNaming();
    const [first, second] = [createPaymentId(), createPaymentId()];
    const namedAt = { first: [] as number[], second: [] as number[] };
    for (let minute = 0; minute < 150; minute += 1) {
      if (isToBeNamed(first, minute * MINUTE)) namedAt.first.push(minute);
      if (minute >= 30 && isToBeNamed(second, minute * MINUTE)) namedAt.second.push(minute);
    }
    expect(namedAt).to.deep.equal({ first: [0, 60, 120], second: [30, 90] });
  });

  it("happens at each look for those beyond the most that are remembered, until others are forgotten", () => {
    const isToBeNamed = createLateNaming(2);
    const [first, second, third] = [createPaymentId(), createPaymentId(), createPaymentId()];
    const named = (minute: number) =>
      [first, second, third].map((each) => isToBeNamed(each, minute * MINUTE));
    expect(named(0)).to.deep.equal([true, true, true]);
    expect(named(1)).to.deep.equal([false, false, true]);
    isToBeNamed(third, 60 * MINUTE);
    expect(named(61)).to.deep.equal([true, true, false]);
  });
});
