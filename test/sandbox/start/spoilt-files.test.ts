import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { sandboxLayout } from "../../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { keepPsuCredentials } from "../../../packages/sandbox/src/start/psu-credentials.ts";
import { readReadyApplication } from "../../../packages/sandbox/src/start/read-ready-application.ts";
import { keepDatabasePasswords } from "../../../packages/sandbox/src/start/sandbox-secrets.ts";
import { openUsedSteps, usedStepsFile } from "../../../packages/sandbox/src/tpp/used-steps-file.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SPOILT = ["", "{", "null"];

describe("Damaged file of a sandbox, as after a power loss,", () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  function write(file: string, text: string): string {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  it("counts as absent if it holds the ready application, which is made anew", async () => {
    const file = join(path, "ready-application.json");
    for (const text of SPOILT)
      expect(await readReadyApplication(write(file, text)), text).to.equal(undefined);
    const kept = { clientId: "id", tokens: { both: "token" } };
    expect(await readReadyApplication(write(file, JSON.stringify(kept)))).to.deep.equal(kept);
  });

  it("is named, without its contents, if it cannot be made anew", async () => {
    const layout = sandboxLayout(path);
    const keepers = {
      [layout.psuCredentials]: () => keepPsuCredentials(layout.psuCredentials, ["jana"]),
      [layout.databasePasswords]: () => keepDatabasePasswords(layout),
    };
    for (const [file, keep] of Object.entries(keepers))
      for (const text of ["", '{"auth": secret']) {
        write(file, text);
        expect(await rejectionOf(keep()), file).to.include({
          code: "folder_unusable",
          message: `${file} is not JSON. Repair it, or delete the folder of the sandbox to start afresh.`,
        });
      }
  });

  it("counts as absent if it holds used codes, and works again from then on", async () => {
    const file = usedStepsFile(path);
    for (const text of SPOILT) {
      const steps = openUsedSteps(write(file, text));
      expect(await steps.last("jana"), text).to.equal(-1);
      await steps.take("jana", (last) => last + 8);
      expect(await steps.last("jana"), text).to.equal(7);
    }
  });
});
