import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect } from "chai";
import { endOfChild } from "../../support/end-of-child.ts";

const FROM_SOURCES = ["--conditions=source", "--import", "tsx"];

/** Those of the image, which has no npm scripts. */
const PROGRAMS = ["packages/auth/src/operator/main.ts", "packages/auth/src/after-restore/main.ts"];
const COMMAND = [...FROM_SOURCES, "packages/auth/src/operator/main.ts", "--help"];

describe("the operator's program by itself", () => {
  it("shows how its output gets into a file without what npm prints before it", () => {
    const help = execFileSync(process.execPath, COMMAND, { encoding: "utf8" });
    const intoFiles = help.split("\n").filter((line) => line.includes(" > "));
    expect(intoFiles).to.deep.equal(["  npm run -s auth -- audit export > audit.jsonl"]);
  });
});

for (const program of PROGRAMS)
  describe(`${program} by itself`, () => {
    it("ends without a word when nobody reads what it says", async () => {
      const child = spawn(process.execPath, [...FROM_SOURCES, program, "--help"], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.destroy();
      expect(await endOfChild(child)).to.deep.equal({ code: 141, complaint: "" });
    });

    it("says in a line that what it says cannot be written", async () => {
      const full = openSync("/dev/full", "w");
      const child = spawn(process.execPath, [...FROM_SOURCES, program, "--help"], {
        stdio: ["ignore", full, "pipe"],
      });
      const { code, complaint } = await endOfChild(child);
      closeSync(full);
      expect(complaint).to.equal("The output cannot be written: ENOSPC: no space left on device, write\n");
      expect(code).to.equal(1);
    });
  });
