import { expect } from "chai";
import { changedPayment, faultsOf, orderOf } from "./sample-payments.ts";

const REFERENCE = "remittanceInformation.structured.creditorReferenceInformation.reference";

/** The symbols of a domestic payment with such a message. */
function symbolsOf(unstructured: unknown, reference: unknown): unknown {
  const body = changedPayment("domestic", "remittanceInformation.unstructured", unstructured);
  const structured = { creditorReferenceInformation: { reference } };
  body.remittanceInformation = { ...Object(body.remittanceInformation), structured };
  return orderOf(body).symbols;
}

describe("the symbols of a payment (COBS 4.27)", () => {
  it("may be structured, and keep leading zeros", () => {
    expect(symbolsOf("x", ["KS:0308", "VS:2024005", "SS:12"])).to.deep.equal({
      variable: "2024005",
      constant: "0308",
      specific: "12",
    });
  });

  it("may come as one text (A-57)", () => {
    for (const text of ["VS:1,KS:0308", '"VS:1","KS:0308"', '"VS:1", "KS:0308"'])
      expect(symbolsOf("x", text)).to.deep.equal({ variable: "1", constant: "0308" });
    expect(symbolsOf("x", [])).to.deep.equal({});
    expect(symbolsOf("x", "")).to.deep.equal({});
  });

  for (const reference of [
    ["VS:"],
    ["VS:12345678901"],
    ["VS:1", "VS:1"],
    ["XS:1"],
    ["vs:1"],
    [1],
    "1",
    ["VS: 1"],
  ])
    it(`cannot be ${JSON.stringify(reference)}`, () => {
      expect(faultsOf(changedPayment("domestic", REFERENCE, reference))).to.deep.equal([
        `FIELD_INVALID ${REFERENCE}`,
      ]);
    });

  for (const [text, symbols] of [
    ["/VS/7418529630/SS/1234567890", { variable: "7418529630", specific: "1234567890" }],
    ["VS/1/SS/2/KS/0308", { variable: "1", specific: "2", constant: "0308" }],
    ["VS/1 faktura", { variable: "1" }],
    ["VS/1/faktura", { variable: "1" }],
    ["VS/12345678901", {}],
    ["VS/1/SS/12345678901", { variable: "1" }],
    ["VS/1SS/2", { variable: "1" }],
    ["VS/1//SS/2", { variable: "1" }],
    ["VS/1/VS/2", {}],
    ["faktura VS/1", {}],
    ["VS/", {}],
    ["//VS/1", {}],
  ] as const)
    it(`are read from the start of a message: ${text} (A-58)`, () => {
      expect(symbolsOf(text, undefined)).to.deep.equal(symbols);
      const abroad = changedPayment("sepa", "remittanceInformation.unstructured", text);
      expect(orderOf(abroad).symbols).to.deep.equal(symbols);
    });

  it("come from the structured form if both forms have one", () => {
    expect(symbolsOf("/VS/1/SS/2", ["VS:9"])).to.deep.equal({ variable: "9", specific: "2" });
  });
});
