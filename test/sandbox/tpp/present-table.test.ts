import { expect } from "chai";
import { presentTable } from "../../../packages/sandbox/src/terminal/present-table.ts";

describe("Table on the terminal", () => {
  it("has columns as wide as their longest cell, counted in letters and not in code units", () => {
    expect(
      presentTable([
        ["name", "no"],
        ["Žluťoučký", "1"],
        ["😀", "22"],
      ]).split("\n"),
    ).to.deep.equal(["  name        no", "  Žluťoučký   1", "  😀           22"]);
  });
});
