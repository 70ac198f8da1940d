import { expect } from "chai";
import fc from "fast-check";
import { writeJson } from "../../packages/service-edge/src/http/write-json.ts";

/** Texts that are made to be taken for a number. */
const TRAPS = [
  '{"exactNumber":"1"}',
  'a{"exactNumber":"12.50"}b',
  '\\{"exactNumber":"1"}',
  '"},{"exactNumber":"1"}',
  '{\\"exactNumber\\":\\"1\\"}',
  '{"exactNumber":"',
  "{",
  '"',
  "\\",
];

describe("Writer of JSON with numbers of any length", () => {
  it("writes the digits that it is given (COBS A-70)", () => {
    const value = { amount: { value: { exactNumber: "999999999999999.99" }, currency: "CZK" } };
    expect(writeJson(value)).to.equal('{"amount":{"value":999999999999999.99,"currency":"CZK"}}');
    expect(writeJson([{ exactNumber: "-0.01" }, { exactNumber: "0" }])).to.equal("[-0.01,0]");
  });

  it("writes everything else like JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeJson(value)).to.equal(JSON.stringify(value));
      }),
    );
  });

  it("leaves texts unchanged, also as member names and beside such a number", () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...TRAPS), fc.string())).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (name, held) => {
        const value = { [`x${name}`]: held, number: { exactNumber: "12345678901234567.89" } };
        const written = writeJson(value);
        expect(written.endsWith(',"number":12345678901234567.89}')).to.equal(true);
        expect(JSON.parse(written)[`x${name}`]).to.equal(held);
      }),
    );
  });

  it("leaves an object unchanged whose text is no JSON number, or that has more members", () => {
    const texts = ["", "01", "1.", ".5", "+1", "1e3", "NaN", '1"', "1}", " 1"];
    for (const exactNumber of texts) {
      expect(JSON.parse(writeJson({ exactNumber }))).to.deep.equal({ exactNumber });
    }
    expect(writeJson({ exactNumber: "1", more: 1 })).to.equal('{"exactNumber":"1","more":1}');
    expect(writeJson({ more: 1, exactNumber: "1" })).to.equal('{"more":1,"exactNumber":"1"}');
  });

  it("writes valid JSON whatever it is given", () => {
    const exact = fc.tuple(fc.bigInt(), fc.nat(99)).map(([whole, cents]) => ({
      exactNumber: `${whole}.${String(cents).padStart(2, "0")}`,
    }));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        exact,
        fc.constantFrom(...TRAPS),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...TRAPS), tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(fc.property(tree, (value) => void JSON.parse(writeJson(value))));
  });
});
