import { readBalanceQuery } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";

const read = (text: string) => readBalanceQuery(new URLSearchParams(text));

describe("the query of a balance (COBS 3.1.4)", () => {
  it("asks for all currencies if none is named", () => {
    expect(read("")).to.deep.equal({ query: { currency: undefined }, faults: [] });
    expect(read("page=x&fields=id")).to.deep.equal({ query: { currency: undefined }, faults: [] });
  });

  it("asks for the named currency", () => {
    expect(read("currency=EUR")).to.deep.equal({ query: { currency: "EUR" }, faults: [] });
  });

  for (const currency of ["", "eur", "EURO", "EU", "E1R", "EUR "]) {
    it(`refuses currency=${JSON.stringify(currency)} as AC09 (A-41)`, () => {
      const [fault, ...others] = read(`currency=${encodeURIComponent(currency)}`).faults;
      expect(fault).to.deep.include({ code: "AC09", path: "currency" });
      expect(others).to.deep.equal([]);
    });
  }

  it("refuses a repeated currency", () => {
    const [fault, ...others] = read("currency=EUR&currency=EUR").faults;
    expect(fault).to.deep.include({ code: "PARAMETER_INVALID", path: "currency" });
    expect(others).to.deep.equal([]);
  });

  it("yields a currency, no currency or faults, whatever the input", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("currency", "x"), fc.string())), (pairs) => {
        const { query, faults } = readBalanceQuery(new URLSearchParams(pairs));
        if (faults.length === 0 && query.currency !== undefined)
          expect(query.currency).to.match(/^[A-Z]{3}$/);
      }),
    );
  });
});
