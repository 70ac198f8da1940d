import { execFileSync } from "node:child_process";
import { expect } from "chai";
import { shellWord } from "../../../packages/sandbox/src/terminal/shell-word.ts";

describe("Word of a shell's command line", () => {
  for (const text of ["", "my box/ca.pem", "it's here", "$HOME", "`id`", "a;b", "*", "Účet", "a\\b", "~"])
    it(`is read by the shell as the text itself: ${text}`, () => {
      expect(execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" })).to.equal(
        text,
      );
    });

  it("is the unquoted text where a shell needs no quotes", () => {
    expect(shellWord(".sandbox/certificates/tpp/all-roles.pem")).to.equal(
      ".sandbox/certificates/tpp/all-roles.pem",
    );
  });
});
