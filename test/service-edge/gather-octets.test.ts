import { expect } from "chai";
import fc from "fast-check";
import { gatherOctets } from "../../packages/service-edge/src/http/gather-octets.ts";

const gathered = (pieces: readonly Buffer[]) => {
  const octets = gatherOctets();
  for (const piece of pieces) octets.add(piece);
  return octets;
};

describe("Octets gathered from pieces", () => {
  it("are complete and in order, however they were cut", () => {
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

  it("do not overwrite what follows a piece in a larger buffer", () => {
    const greater = Buffer.from("abcdef");
    expect(
      gathered([greater.subarray(0, 2), Buffer.from("xyz")])
        .all()
        .toString(),
    ).to.equal("abxyz");
    expect(greater.toString()).to.equal("abcdef");
  });

  it("take at most twice their length in memory", () => {
    const octets = gathered(Array.from({ length: 9_000 }, () => Buffer.from("a")));
    expect(octets.all().buffer.byteLength).to.be.at.most(2 * 9_000);
  });
});
