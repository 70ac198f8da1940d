import { expect } from "chai";
import { createRejectionLooks } from "../../../packages/resource/src/execution/rejection-looks.ts";
import { createPaymentId } from "../../../packages/resource/src/payments/payment-ids.ts";

describe("A later look at a rejected payment", () => {
  const [one, two, three] = [createPaymentId(), createPaymentId(), createPaymentId()];

  it("comes a minute and an hour after the rejection, once each", () => {
    const looks = createRejectionLooks();
    looks.note(one, 0);
    const due = [59_999, 60_000, 3_599_999, 3_600_000, 9_000_000].map((at) => looks.takeDue(at, 8));
    expect(due).to.deep.equal([[], [one], [], [one], []]);
  });

  it("comes for no more payments than asked for, the first rejected first", () => {
    const looks = createRejectionLooks();
    for (const each of [one, two, three]) looks.note(each, 0);
    expect([looks.takeDue(60_000, 2), looks.takeDue(60_000, 2)]).to.deep.equal([[one, two], [three]]);
  });

  it("is dropped for the first rejected beyond the most that are remembered", () => {
    const looks = createRejectionLooks(2);
    for (const each of [one, two, three]) looks.note(each, 0);
    expect(looks.takeDue(60_000, 8)).to.deep.equal([two, three]);
  });
});
