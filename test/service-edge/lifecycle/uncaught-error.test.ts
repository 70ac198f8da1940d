import { expect } from "chai";
import { runScript } from "../../support/run-script.ts";

describe("Uncaught error", () => {
  it("ends the process with 1, and is logged without the other data it carries (LOG-01)", async () => {
    const { exitCode, stdout, stderr } = await runScript(
      "test/service-edge/lifecycle/failing-service.ts",
      [],
    );
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(last).to.deep.include({ level: 60, msg: "uncaught error" });
    expect(last.error).to.include({ code: "23514", message: "the row was refused" });
    expect(stdout + stderr).not.to.include("Jana");
    expect(exitCode).to.equal(1);
  });
});
