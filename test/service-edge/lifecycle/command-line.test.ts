import { expect } from "chai";
import { parseCommandLine } from "../../../packages/service-edge/src/lifecycle/command-line.ts";

describe("Command line of a service", () => {
  it("means one serving process by default", () => {
    expect(parseCommandLine([])).to.deep.equal({ help: false, check: false, processes: 1 });
  });

  it("accepts the number of processes in both spellings", () => {
    expect(parseCommandLine(["--processes", "4"])).to.deep.equal({ help: false, check: false, processes: 4 });
    expect(parseCommandLine(["--check", "--processes=2"])).to.deep.equal({
      help: false,
      check: true,
      processes: 2,
    });
  });

  it("accepts as few and as many processes as are allowed", () => {
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
    it(`requests the usage with ${word}`, () => {
      expect(parseCommandLine([word])).to.include({ help: true });
    });

  it("is refused with the name of an unknown option", () => {
    expect(() => parseCommandLine(["--procesess", "2"])).to.throw(RangeError, "--procesess");
  });
});
