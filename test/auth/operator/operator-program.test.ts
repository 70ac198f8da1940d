import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";

const FROM_SOURCES = ["--conditions=source", "--import", "tsx"];

describe("the operator's program by itself", () => {
  it("ends without a word when nobody reads what it says", async () => {
    const command = [...FROM_SOURCES, "packages/auth/src/operator/main.ts", "--help"];
    const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      complaint += text;
    });
    const [code] = await once(child, "close");
    expect([code, complaint]).to.deep.equal([141, ""]);
  });
});
