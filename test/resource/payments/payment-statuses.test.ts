import { expect } from "chai";
import type { Payment, PaymentState, Rejection } from "../../../packages/resource/src/payments/payment.ts";
import { createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import {
  presentedPaymentOf,
  signingStateOf,
  statusOf,
} from "../../../packages/resource/src/payments/payment-statuses.ts";
import { approvalOf, requestNamed, sampleTerms } from "./sample-payments.ts";

const terms = sampleTerms();
const requestId = requestNamed("request-1");
const approval = approvalOf(terms.digest, requestId);
const [signId, earlier] = [createSignId(), createSignId()];
const ids = { signId, earlierSignIds: [earlier] };

type Visible = Exclude<PaymentState, { readonly state: "deleted" }>;
const paymentIn = (state: Visible): Payment => ({ ...terms, ...state });
const codesOf = (payment: Payment) => {
  const { instructionStatus, signInfo } = statusOf(payment);
  return [instructionStatus, signInfo.state];
};
const entered = (signing: Extract<Visible, { state: "entered" }>["signing"]) =>
  paymentIn({ ...ids, state: "entered", signing, expiresAt: terms.expiresAt });
const rejected = (rejection: Rejection) => paymentIn({ ...ids, state: "rejected", rejection });

describe("The status of a payment (COBS 3.2.5, A-47)", () => {
  it("is ACTC and OPEN until the PSU has approved", () => {
    expect(codesOf(entered({ state: "open" }))).to.deep.equal(["ACTC", "OPEN"]);
    expect(codesOf(entered({ state: "asked", requestId }))).to.deep.equal(["ACTC", "OPEN"]);
  });

  it("is ACWC when the bank has changed the order (A-46)", () => {
    expect(codesOf({ ...entered({ state: "open" }), changed: true })).to.deep.equal(["ACWC", "OPEN"]);
  });

  it("is ACTC and CLOSE when an attempt has ended and another one may be opened", () => {
    const ended = entered({ state: "ended", requestId, ending: "expired" });
    expect(codesOf(ended)).to.deep.equal(["ACTC", "CLOSE"]);
  });

  it("is ACSP and DONE from the approval until the bank has settled", () => {
    for (const state of ["approved", "handed_over", "accepted"] as const)
      expect(codesOf(paymentIn({ ...ids, state, approval }))).to.deep.equal(["ACSP", "DONE"]);
  });

  it("is ACSC and DONE when it is settled", () => {
    const payment = paymentIn({ ...ids, state: "completed", approval, entryReference: undefined });
    expect(codesOf(payment)).to.deep.equal(["ACSC", "DONE"]);
  });

  it("is RJCT with the outcome of the approval", () => {
    const outcomes = [
      rejected({ by: "psu", reason: "declined", requestId }),
      rejected({ by: "approval_check", reason: "digest_mismatch", requestId }),
      rejected({ by: "consent", reason: "consent_ended", requestId: undefined }),
      rejected({ by: "execution_check", reason: "digest_mismatch", approval }),
      rejected({ by: "bank", reason: "AM04", approval }),
      paymentIn({ ...ids, state: "expired" }),
    ];
    expect(outcomes.map(codesOf)).to.deep.equal([
      ["RJCT", "REJECT"],
      ["RJCT", "CLOSE"],
      ["RJCT", "CLOSE"],
      ["RJCT", "DONE"],
      ["RJCT", "DONE"],
      ["RJCT", "CLOSE"],
    ]);
  });

  it("is given for each attempt: CLOSE for an earlier one, none for another payment's (COBS 3.2.9)", () => {
    const payment = entered({ state: "open" });
    expect(signingStateOf(payment, signId)).to.equal("OPEN");
    expect(signingStateOf(payment, earlier)).to.equal("CLOSE");
    expect(signingStateOf(payment, createSignId())).to.equal(undefined);
  });

  it("comes with the order, its day and the id of the current attempt", () => {
    expect(presentedPaymentOf(entered({ state: "open" }))).to.deep.equal({
      paymentId: terms.id,
      order: terms.order,
      executionDate: terms.executionDate,
      changed: false,
      status: "ACTC",
      signInfo: { state: "OPEN", signId },
    });
  });
});
