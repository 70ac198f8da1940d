import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { DOCUMENT_VERSION } from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { nextCommand } from "../../../packages/sandbox/src/tpp/commands/register.ts";
import { runCommandLine } from "../../../packages/sandbox/src/tpp/run-command-line.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("npm run tpp -- register", () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  it("refuses the name of the ready application, because a start removes applications of that name", async () => {
    writeFileSync(join(path, "sandbox.json"), JSON.stringify({ version: DOCUMENT_VERSION }));
    let complained = "";
    const terminal = {
      directory: path,
      whenInterrupted: () => undefined,
      say: () => undefined,
      complain: (text: string) => {
        complained += text;
      },
    };
    const exitCode = await runCommandLine(["register", "--name", "Sandbox ready application"], terminal);
    expect({ exitCode, complained }).to.deep.equal({
      exitCode: 2,
      complained:
        "Sandbox ready application is the name of the sandbox's own application\nChoose another --name.\n",
    });
  });

  it("names a command next that works, also where PSUs sign in at a login of one's own", () => {
    const psus = [{ username: "jana" }];
    expect(nextCommand({ login: null, psus })).to.equal("authorize --psu jana");
    expect(nextCommand({ login: "https://login.bank.example", psus })).to.equal("authorize");
  });
});
