import { expect } from "chai";
import { fuzzCertificates } from "./fuzz-certificates.ts";

describe("A sample of the differential fuzzing run", () => {
  it("finds no difference, fault or slowness, and meets both accepted and refused certificates", async function () {
    this.timeout(120_000);
    const { findings, slowestMilliseconds, outcomes } = await fuzzCertificates({ count: 600, seed: 1 });
    expect(findings).to.deep.equal([]);
    expect(slowestMilliseconds).to.be.below(1_000);
    expect(outcomes.confirmed).to.be.above(60);
    expect(Object.keys(outcomes)).to.include.members(["certificate_malformed", "psd2_statement_malformed"]);
  });
});
