import { presentSigningOutcome } from "@cobs/cobs-model";
import { expect } from "chai";
import type { Payment, PaymentState } from "../../packages/resource/src/payments/payment.ts";
import { createSignId } from "../../packages/resource/src/payments/payment-ids.ts";
import { statusOf } from "../../packages/resource/src/payments/payment-statuses.ts";
import { approvalOf, requestNamed, sampleTerms } from "../resource/payments/sample-payments.ts";
import { faultsBySchema } from "./check-answer.ts";
import { lookUp } from "./interface-document.ts";

const terms = sampleTerms();
const requestId = requestNamed("request-1");
const approval = approvalOf(terms.digest, requestId);
const ids = { signId: createSignId(), earlierSignIds: [] };

/** One payment for each way in which its authorization can stand. */
const STATES: readonly Exclude<PaymentState, { readonly state: "deleted" }>[] = [
  { ...ids, state: "entered", signing: { state: "open" }, expiresAt: terms.expiresAt },
  {
    ...ids,
    state: "entered",
    signing: { state: "ended", requestId, ending: "expired" },
    expiresAt: terms.expiresAt,
  },
  { ...ids, state: "approved", approval },
  { ...ids, state: "rejected", rejection: { by: "psu", reason: "declined", requestId } },
];
const PAYMENTS: readonly Payment[] = STATES.map((state) => ({ ...terms, ...state }));

describe("the description of the authorization of a payment", () => {
  it("has exactly the states that are sent (A-47)", () => {
    const told = PAYMENTS.map((payment) => statusOf(payment).signInfo.state);
    expect(lookUp("#/components/schemas/SignInfo/properties/state/enum")).to.have.members(told);
  });

  it("requires the id of each authorization", () => {
    for (const payment of PAYMENTS) {
      const { signInfo } = statusOf(payment);
      expect(faultsBySchema("#/components/schemas/SignInfo", signInfo)).to.deep.equal([]);
      expect(faultsBySchema("#/components/schemas/SignInfo", { state: signInfo.state })).to.not.be.empty;
    }
  });

  it("has only the outcomes open and signed, since one that ended otherwise is refused (COBS 3.2.11)", () => {
    const place = "#/components/schemas/SigningOutcome";
    for (const state of ["OPEN", "DONE"] as const)
      expect(faultsBySchema(place, presentSigningOutcome(state, 2_000)), state).to.deep.equal([]);
    for (const state of ["REJECT", "CLOSE", "NONE"] as const)
      expect(faultsBySchema(place, presentSigningOutcome(state, 2_000)), state).to.not.be.empty;
  });
});
