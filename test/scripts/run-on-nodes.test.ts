import { expect } from "chai";
import { runScript } from "../support/run-script.ts";

const PROGRAM = "scripts/run-on-nodes.mjs";

describe("Tests on other releases of Node.js", () => {
  it("fail with the reason when a program cannot be run", async () => {
    const ended = await runScript(PROGRAM, [], { COBS_TEST_NODES: "/nowhere/bin/node" });
    expect(ended).to.deep.include({ exitCode: 1, stdout: "\n/nowhere/bin/node\n" });
    expect(ended.stderr).to.equal("it cannot be run: spawnSync /nowhere/bin/node ENOENT\n");
  });

  it("are refused as wrong usage when no program is named", async () => {
    const ended = await runScript(PROGRAM, []);
    expect(ended).to.deep.include({ exitCode: 2, stderr: "COBS_TEST_NODES names no Node.js program\n" });
  });
});
