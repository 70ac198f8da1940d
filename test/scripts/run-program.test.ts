import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect } from "chai";
import { endOfChild } from "../support/end-of-child.ts";

/** How a command ends whose reader has gone, and what it complains of. */
function endUnread(command: string, words: readonly string[]) {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  return endOfChild(child);
}

describe("Command", () => {
  for (const [program, option] of [
    ["sandbox/operator/main", "--help"],
    ["sandbox/tpp/main", "--help"],
    ["resource/core-kit/main", "--help"],
  ] as const)
    it(`ends without a word when nobody reads its output (${program})`, async () => {
      const ended = await endUnread(process.execPath, ["scripts/run-program.mjs", program, option]);
      expect(ended).to.deep.equal({ code: 141, complaint: "" });
    });

  it("reports in one line that its output cannot be written", async () => {
    const full = openSync("/dev/full", "w");
    const command = ["scripts/run-program.mjs", "sandbox/tpp/main", "--help"];
    const child = spawn(process.execPath, command, { stdio: ["ignore", full, "pipe"] });
    const { code, complaint } = await endOfChild(child);
    closeSync(full);
    expect(complaint).to.equal("The output cannot be written: ENOSPC: no space left on device, write\n");
    expect(code).to.equal(1);
  });

  for (const [name, ...options] of [
    ["fuzz:certificates", "--count", "10"],
    ["sbom", "resource"],
  ] as const)
    it(`reports no broken pipe when run as an npm script either (${name})`, async function command() {
      this.timeout(120_000);
      const { code, complaint } = await endUnread("npm", ["run", "-s", name, "--", ...options]);
      expect(code).to.equal(141);
      expect(complaint).not.to.include("EPIPE");
    });
});
