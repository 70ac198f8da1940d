import { expect } from "chai";
import { freePort } from "../../../support/free-port.ts";
import { runScript } from "../../../support/run-script.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

describe("Service none of whose processes can start", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it("ends as one process would, with 78, also when all fail at once, and claims to replace none", async () => {
    const { exitCode, stdout } = await runScript(
      "test/service-edge/lifecycle/processes/unstartable-service.ts",
      ["--processes", "2"],
      { FOLDER: folder.path, OPERATOR_PORT: String(await freePort()) },
    );
    expect(stdout.match(/"msg":"the service could not start"/g)).to.have.length(2);
    expect(stdout)
      .to.include('"msg":"a process could not start; all processes end"')
      .and.not.include("replaced");
    expect(exitCode).to.equal(78);
  });
});
