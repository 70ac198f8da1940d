import { expect } from "chai";
import fc from "fast-check";
import { gatherOctets } from "../../packages/service-edge/src/http/gather-octets.ts";

const gathered = (pieces: readonly Buffer[]) => {
  const octets = gatherOctets();
  for (const piece of pieces) octets.add(piece);
  return octets;
};

describe("octets that come in pieces", () => {
  it("are all there, in their order, however they are cut", () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 5_000 }).map((octets) => Buffer.from(octets)));
    fc.assert(
      fc.property(pieces, (cut) => {
        const octets = gathered(cut);
        const whole = Buffer.concat(cut);
        expect(octets.length()).to.equal(whole.length);
        expect(octets.all().equals(whole)).to.equal(true);
      }),
    );
  });

  it("change nothing behind a piece that is a part of something greater", () => {
    const greater = Buffer.from("abcdef");
    expect(
      gathered([greater.subarray(0, 2), Buffer.from("xyz")])
        .all()
        .toString(),
    ).to.equal("abxyz");
    expect(greater.toString()).to.equal("abcdef");
  });

  it("have room for twice as many at most", () => {
    const octets = gathered(Array.from({ length: 9_000 }, () => Buffer.from("a")));
    expect(octets.all().buffer.byteLength).to.be.at.most(2 * 9_000);
  });
});
