import { presentPayment } from "@cobs/cobs-model";
import { expect } from "chai";
import { faultsOf, orderOf, TYPES, wholePayment } from "./sample-payments.ts";

/** Elements that a request has and the answer does not. */
const NOT_ECHOED = ["initiatingParty"];

/** What is presented of an order that nothing was changed in. */
function presented(body: unknown): Readonly<Record<string, unknown>> {
  const order = orderOf(body);
  return {
    ...presentPayment({
      paymentId: "P-7f3a90c1e5",
      order,
      executionDate: order.requestedExecutionDate ?? "2024-02-05",
      changed: false,
      status: "ACTC",
      signInfo: { state: "OPEN", signId: "S-51b2c7" },
    }),
  };
}

describe("the examples of payments (COBS chapter 5)", () => {
  for (const type of TYPES)
    it(`of type ${type} are accepted and echoed with what the bank adds (3.2.4.2)`, () => {
      const request = wholePayment(type);
      expect(faultsOf(request)).to.deep.equal([]);
      const document = presented(request);
      for (const name of NOT_ECHOED) delete request[name];
      expect(orderOf(request).type).to.equal(type);
      const code = { domestic: "DMCT", sepa: "ESCT", "inside-eea": "EXCT", "outside-eea": "NXCT" }[type];
      expect(document).to.deep.equal({
        ...request,
        transactionIdentification: "P-7f3a90c1e5",
        serviceLevel: { code },
        paymentIdentification: {
          ...Object(request.paymentIdentification),
          transactionIdentification: "P-7f3a90c1e5",
        },
        paymentTypeInformation: { ...Object(request.paymentTypeInformation), serviceLevel: { code } },
        signInfo: { state: "OPEN", signId: "S-51b2c7" },
        instructionStatus: "ACTC",
      });
    });
});
