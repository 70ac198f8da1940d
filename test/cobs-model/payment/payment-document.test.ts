import { type PresentedPayment, presentPayment, presentStatus } from "@cobs/cobs-model";
import { expect } from "chai";
import { changedPayment, orderOf, wholePayment } from "./sample-payments.ts";

/** A payment as it is presented right after it was entered. */
function entered(body: unknown): PresentedPayment {
  return {
    paymentId: "P-1",
    order: orderOf(body),
    executionDate: "2024-05-06",
    changed: false,
    status: "ACTC",
    signInfo: { state: "OPEN", signId: "S-1" },
  };
}

describe("a payment on the wire (COBS 3.2.4.2)", () => {
  it("has its id and its service level in two places each (A-46)", () => {
    const document = presentPayment(entered(wholePayment("inside-eea")));
    expect(document.transactionIdentification).to.equal("P-1");
    expect(document.paymentIdentification.transactionIdentification).to.equal("P-1");
    expect(document.serviceLevel).to.deep.equal({ code: "EXCT" });
    expect(document.paymentTypeInformation.serviceLevel).to.deep.equal({ code: "EXCT" });
  });

  it("has the day to which the bank moved it, and says so (ACWC, TM01)", () => {
    const accepted = { ...entered(wholePayment("domestic")), executionDate: "2024-05-07" };
    const document = presentPayment({ ...accepted, changed: true, status: "ACWC" });
    expect(document.requestedExecutionDate).to.equal("2024-05-07");
    expect([document.instructionStatus, document.statusChangeInfo]).to.deep.equal(["ACWC", "TM01"]);
  });

  it("has no day if none was requested and none was changed", () => {
    const body = changedPayment("domestic", "requestedExecutionDate", undefined);
    expect(presentPayment(entered(body))).to.not.have.property("requestedExecutionDate");
  });

  it("shows the defaults that the bank filled in (3.2.4.2)", () => {
    const body = changedPayment("outside-eea", "chargeBearer", undefined);
    delete body.paymentTypeInformation;
    const document = presentPayment(entered(body));
    expect(document.chargeBearer).to.equal("SHAR");
    expect(document.paymentTypeInformation.instructionPriority).to.equal("NORM");
  });

  it("keeps every digit of an amount (A-70)", () => {
    const payment = entered(wholePayment("outside-eea"));
    const amount = { ...payment.order.amount, minor: 99_999_999_999_999_999n };
    const { instructedAmount } = presentPayment({ ...payment, order: { ...payment.order, amount } }).amount;
    expect(instructedAmount).to.deep.equal({ value: { exactNumber: "999999999999999.99" }, currency: "USD" });
  });

  it("has `signInfo` without an id if the TPP has to ask for one (R9)", () => {
    const document = presentPayment({ ...entered(wholePayment("domestic")), signInfo: { state: "OPEN" } });
    expect(document.signInfo).to.deep.equal({ state: "OPEN" });
  });

  it("has no separate symbols if the message contains them", () => {
    const body = changedPayment("domestic", "remittanceInformation", { unstructured: "/VS/1" });
    expect(presentPayment(entered(body)).remittanceInformation).to.deep.equal({ unstructured: "/VS/1" });
  });

  it("may have symbols without a message", () => {
    const structured = { creditorReferenceInformation: { reference: ["VS:1"] } };
    const body = changedPayment("domestic", "remittanceInformation", { structured });
    expect(presentPayment(entered(body)).remittanceInformation).to.deep.equal({ structured });
  });

  it("has the parties and their identifications as they were sent (A-56)", () => {
    const body = wholePayment("sepa");
    const { ultimateDebtor, ultimateCreditor } = presentPayment(entered(body));
    expect({ ultimateDebtor, ultimateCreditor }).to.deep.equal({
      ultimateDebtor: body.ultimateDebtor,
      ultimateCreditor: body.ultimateCreditor,
    });
    const withBicAlone = changedPayment(
      "sepa",
      "ultimateCreditor.identification.organisationIdentification.other",
      undefined,
    );
    expect(presentPayment(entered(withBicAlone)).ultimateCreditor).to.deep.equal(
      withBicAlone.ultimateCreditor,
    );
    const unnamed = changedPayment(
      "sepa",
      "ultimateDebtor.identification.privateIdentification.other.schemeName",
      undefined,
    );
    expect(presentPayment(entered(unnamed)).ultimateDebtor).to.deep.equal(unnamed.ultimateDebtor);
  });

  it("has no message if none was sent", () => {
    const body = changedPayment("domestic", "remittanceInformation", undefined);
    expect(presentPayment(entered(body))).to.not.have.property("remittanceInformation");
  });
});

describe("the status of a payment on the wire (COBS 3.2.5, A-73)", () => {
  for (const status of ["ACTC", "ACSP", "ACSC", "RJCT"] as const)
    it(`is ${status} without a reason`, () => {
      expect(presentStatus({ status })).to.deep.equal({ instructionStatus: status });
    });

  it("has a reason if the bank made a change (ACWC, A-46)", () => {
    expect(presentStatus({ status: "ACWC" })).to.deep.equal({
      instructionStatus: "ACWC",
      statusChangeInfo: "TM01",
    });
  });
});
