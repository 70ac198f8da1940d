import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";

/** How a command ends whose reader has gone, and what it complains of. */
async function endUnread(command: string, words: readonly string[]) {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaint += text;
  });
  const [code] = await once(child, "close");
  return { code, complaint };
}

describe("A command", () => {
  for (const [program, option] of [
    ["sandbox/operator/main", "--help"],
    ["sandbox/tpp/main", "--help"],
    ["resource/core-kit/main", "--help"],
  ] as const)
    it(`ends without a word when nobody reads what it says (${program})`, async () => {
      const ended = await endUnread(process.execPath, ["scripts/run-program.mjs", program, option]);
      expect(ended).to.deep.equal({ code: 141, complaint: "" });
    });

  for (const [name, ...options] of [
    ["fuzz:certificates", "--count", "10"],
    ["sbom", "resource"],
  ] as const)
    it(`of the repository ends so too (${name})`, async function command() {
      this.timeout(60_000);
      const { code, complaint } = await endUnread("npm", ["run", "-s", name, "--", ...options]);
      expect(code).to.equal(141);
      expect(complaint).not.to.include("EPIPE");
    });
});
