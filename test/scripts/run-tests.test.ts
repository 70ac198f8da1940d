import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** One for each lane. */
const FOLDERS = ["test/journeys", "test/auth", "test/resource", "test/service-edge"];

describe("npm test", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(() => {
    folder = temporaryFolder();
    const { path } = folder;
    symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
    // What is built is not asked here.
    writeFileSync(join(path, "npm"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(path, ".mocharc.json"), '{ "reporter": "dot" }');
    for (const name of FOLDERS) {
      mkdirSync(join(path, name), { recursive: true });
      writeFileSync(join(path, name, "one.test.ts"), `it("is in ${name}", () => {});\n`);
    }
  });
  after(() => folder.remove());

  async function run(...options: string[]) {
    const child = spawn(process.execPath, [join(ROOT, "scripts/run-tests.mjs"), ...options], {
      cwd: folder.path,
      env: { PATH: `${folder.path}:/usr/bin:/bin` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const [exitCode] = await once(child, "close");
    return { exitCode, passed: Number(/^ {2}(\d+) passing$/m.exec(said)?.[1]) };
  }

  it("succeeds with options that match tests of one lane only", async () => {
    expect(await run()).to.deep.equal({ exitCode: 0, passed: FOLDERS.length });
    expect(await run("--grep", "journeys")).to.deep.equal({ exitCode: 0, passed: 1 });
  });

  it("fails with options that match no test at all", async () => {
    expect(await run("--grep", "typo")).to.deep.equal({ exitCode: 1, passed: 0 });
  });
});
