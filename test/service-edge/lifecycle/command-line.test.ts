import { expect } from "chai";
import { parseCommandLine } from "../../../packages/service-edge/src/lifecycle/command-line.ts";

describe("the command line of a service", () => {
  it("is one process that serves, unless told otherwise", () => {
    expect(parseCommandLine([])).to.deep.equal({ help: false, check: false, processes: 1 });
  });

  it("takes a number of processes, in both spellings", () => {
    expect(parseCommandLine(["--processes", "4"])).to.deep.equal({ help: false, check: false, processes: 4 });
    expect(parseCommandLine(["--check", "--processes=2"])).to.deep.equal({
      help: false,
      check: true,
      processes: 2,
    });
  });

  it("takes as few and as many processes as there may be", () => {
    for (const processes of [1, 10, 128])
      expect(parseCommandLine(["--processes", `${processes}`])).to.include({ processes });
  });

  for (const words of [
    ["--processes"],
    ["--processes="],
    ["--processes", "0"],
    ["--processes", "129"],
    ["--processes=two"],
    ["--processes", "1e1"],
    ["--processes", "+2"],
    ["--processes", " 2"],
    ["--processes", "2 "],
    ["--processes", "0x2"],
    ["--processes", "1.5"],
    ["--processes", "0002"],
  ])
    it(`refuses ${words.join(" ")}`, () => {
      expect(() => parseCommandLine(words)).to.throw(RangeError, "from 1 to 128");
    });

  for (const word of ["--help", "-h"])
    it(`is asked what there is with ${word}`, () => {
      expect(parseCommandLine([word])).to.include({ help: true });
    });

  it("names an option that there is not", () => {
    expect(() => parseCommandLine(["--procesess", "2"])).to.throw(RangeError, "--procesess");
  });
});
