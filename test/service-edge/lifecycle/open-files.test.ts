import { expect } from "chai";
import {
  connectionsThatFit,
  doubtOpenFiles,
} from "../../../packages/service-edge/src/lifecycle/open-files.ts";

/** What Linux tells a process that may open so many files. */
const limitsOf = (files: string) =>
  [
    "Limit                     Soft Limit           Hard Limit           Units     ",
    "Max cpu time              unlimited            unlimited            seconds   ",
    `Max open files            ${files.padEnd(21)}${files.padEnd(21)}files     `,
    "",
  ].join("\n");

describe("Limit on open files", () => {
  it("leaves a quarter for all but callers, and an eighth for those of the bank alone", () => {
    expect(connectionsThatFit(limitsOf("1024"))).to.deep.equal({ ofBank: 768, ofStrangers: 640 });
    for (const limits of [limitsOf("unlimited"), ""])
      expect(connectionsThatFit(limits), limits).to.deep.equal({ ofBank: Infinity, ofStrangers: Infinity });
  });

  it("is doubted when the connections of one listener do not fit", () => {
    expect(doubtOpenFiles(10_000, limitsOf("1024"))).to.deep.equal([
      "MAX_CONNECTIONS is 10000, but this process may open only 1024 files (ulimit -n, LimitNOFILE): its listeners take 640 connections together",
    ]);
  });

  it("is none that suffices, is not there or is not told", () => {
    for (const limits of [limitsOf("16000"), limitsOf("unlimited"), ""])
      expect(doubtOpenFiles(10_000, limits), limits).to.deep.equal([]);
  });
});
