import { expect } from "chai";
import { presentSeedResult } from "../../../packages/sandbox/src/seed/present-seed-result.ts";

describe("Final message of a seeding", () => {
  const largest = { id: "A-1", currency: "CZK", transactions: 5_000 };
  const result = {
    isNew: true,
    name: "mass first",
    seed: "first",
    psu: "jana",
    accounts: 1,
    transactions: 5_000,
    largest,
    median: null,
    smallest: null,
  };

  it("counts in words with singular and plural", () => {
    expect(presentSeedResult(result, 1_000)).to.match(
      /^5,000 transactions on 1 account in 1\.0 s, 5,000\/s\./,
    );
    expect(presentSeedResult({ ...result, accounts: 12 }, 1_000)).to.include(" on 12 accounts ");
  });

  it("names the option that identifies what is already there", () => {
    expect(presentSeedResult({ ...result, isNew: false }, 1_000)).to.equal(
      "The accounts of --seed first already exist; another --seed makes others.",
    );
  });
});
