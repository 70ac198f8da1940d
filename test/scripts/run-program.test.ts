import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";

describe("A command", () => {
  for (const [program, option] of [
    ["sandbox/operator/main", "--help"],
    ["sandbox/tpp/main", "--help"],
    ["resource/core-kit/main", "--help"],
  ] as const)
    it(`ends without a word when nobody reads what it says (${program})`, async () => {
      const child = spawn(process.execPath, ["scripts/run-program.mjs", program, option], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.destroy();
      let complaint = "";
      child.stderr.setEncoding("utf8").on("data", (text) => {
        complaint += text;
      });
      const [code] = await once(child, "close");
      expect([code, complaint]).to.deep.equal([141, ""]);
    });

  for (const [name, ...options] of [
    ["fuzz:certificates", "--count", "10"],
    ["sbom", "resource"],
  ] as const)
    it(`of the repository ends so too (${name})`, async function command() {
      this.timeout(60_000);
      const child = spawn("npm", ["run", "-s", name, "--", ...options], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.destroy();
      let complaint = "";
      child.stderr.setEncoding("utf8").on("data", (text) => {
        complaint += text;
      });
      const [code] = await once(child, "close");
      expect(code).to.equal(141);
      expect(complaint).not.to.include("EPIPE");
    });
});
