import { execFileSync } from "node:child_process";
import { expect } from "chai";
import { shellWord } from "../../../packages/sandbox/src/terminal/shell-word.ts";

describe("A word of a shell's command line", () => {
  for (const text of ["", "my box/ca.pem", "it's here", "$HOME", "`id`", "a;b", "*", "Účet", "a\\b", "~"])
    it(`is the text to a shell: ${text}`, () => {
      expect(execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" })).to.equal(
        text,
      );
    });

  it("is the text as it is where a shell takes nothing for more", () => {
    expect(shellWord(".sandbox/certificates/tpp/all-roles.pem")).to.equal(
      ".sandbox/certificates/tpp/all-roles.pem",
    );
  });
});
