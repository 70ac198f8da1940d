import * as asn1js from "asn1js";
import { expect } from "chai";
import fc from "fast-check";
import {
  derBoolean,
  derNamedBits,
  derOctetString,
  derOid,
  derSequence,
  derSmallInteger,
  derUtf8String,
} from "../../../packages/sandbox/src/certificates/der.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("DER writer", () => {
  it("writes any object identifier so that another reader reads it back (X.690 8.19)", () => {
    const arcs = fc.tuple(
      fc.constantFrom("0.4", "1.3", "2.5"),
      fc.array(fc.nat(2_000_000), { minLength: 1 }),
    );
    fc.assert(
      fc.property(arcs, ([first, rest]) => {
        const dotted = [first, ...rest].join(".");
        const { result } = asn1js.fromBER(derOid(dotted));
        expect(result).to.be.instanceOf(asn1js.ObjectIdentifier);
        expect(result.valueBlock.toString()).to.equal(dotted);
      }),
    );
  });

  it("writes the object identifier of the PSD2 statement as ETSI TS 119 495 5.1 has it", () => {
    expect(hex(derOid("0.4.0.19495.2"))).to.equal("060604008198 2702".replace(" ", ""));
  });

  for (const length of [0, 127, 128, 255, 256, 65_535]) {
    it(`writes the length of ${length} octets in the fewest octets (X.690 10.1)`, () => {
      const octets = Buffer.alloc(length, 7);
      const encoded = derOctetString(octets);
      const headerLength = length < 128 ? 2 : length < 256 ? 3 : 4;
      expect(encoded).to.have.length(headerLength + length);
      const { result, offset } = asn1js.fromBER(encoded);
      expect(offset).to.equal(encoded.length);
      expect(hex(new Uint8Array(result.valueBlock.toBER()))).to.equal(hex(octets));
    });
  }

  it("writes named bits without trailing zero bits (X.690 11.2.2)", () => {
    expect(hex(derNamedBits([0]))).to.equal("03020780");
    expect(hex(derNamedBits([5, 6]))).to.equal("03020106");
    expect(hex(derNamedBits([0, 8]))).to.equal("0303078080");
  });

  it("writes booleans, small integers, text and sequences", () => {
    expect(hex(derSequence(derBoolean(true), derSmallInteger(3), derUtf8String("č")))).to.equal(
      "300a0101ff0201030c02c48d",
    );
  });
});
