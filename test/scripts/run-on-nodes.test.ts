import { expect } from "chai";
import { runScript } from "../support/run-script.ts";

const PROGRAM = "scripts/run-on-nodes.mjs";

describe("The tests on other releases of Node.js", () => {
  it("say of a program that cannot be run why, and fail", async () => {
    const ended = await runScript(PROGRAM, [], { COBS_TEST_NODES: "/nowhere/bin/node" });
    expect(ended).to.deep.include({ exitCode: 1, stdout: "\n/nowhere/bin/node\n" });
    expect(ended.stderr).to.equal("it cannot be run: spawnSync /nowhere/bin/node ENOENT\n");
  });

  it("are none without a program, which is wrong usage", async () => {
    const ended = await runScript(PROGRAM, []);
    expect(ended).to.deep.include({ exitCode: 2, stderr: "COBS_TEST_NODES names no program of Node.js\n" });
  });
});
