import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { runScript } from "../support/run-script.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const MOCHA = "node_modules/mocha/bin/mocha.js";

describe("Tests that passed", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  function run(test: string) {
    const path = join(folder.path, "one.test.mjs");
    writeFileSync(path, `it("passes", () => void (${test}));\n`);
    return runScript(MOCHA, [path], { COBS_TEST_END_LIMIT_MILLISECONDS: "200" });
  }

  it("fail and end when something keeps their process running", async () => {
    const ended = await run("setInterval(() => {}, 100)");
    expect(ended.exitCode).to.equal(1);
    expect(ended.stdout).to.include("1 passing");
    expect(ended.stderr).to.match(/^still running 0\.2 s after its last test: stopped \(.*Timeout.*\)\n$/);
  });

  it("succeed when nothing does", async () => {
    expect(await run("0")).to.deep.include({ exitCode: 0, stderr: "" });
  });
});
