import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import {
  DOCUMENT_VERSION,
  readSandboxDocument,
} from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("Document of a sandbox", () => {
  const { path, remove } = temporaryFolder();
  after(remove);
  const file = join(path, "sandbox.json");

  it("is read in its own version", async () => {
    writeFileSync(file, JSON.stringify({ version: DOCUMENT_VERSION }));
    expect(await readSandboxDocument(file)).to.deep.equal({ version: DOCUMENT_VERSION });
  });

  it("counts as absent when it is missing, damaged, or of another version", async () => {
    expect(await readSandboxDocument(join(path, "none.json"))).to.equal(undefined);
    for (const text of ["{", "", "7", "null", JSON.stringify({ version: DOCUMENT_VERSION + 1 })]) {
      writeFileSync(file, text);
      expect(await readSandboxDocument(file), text).to.equal(undefined);
    }
  });

  it("counts as absent in version 1, which does not say where PSUs sign in and codes go", async () => {
    writeFileSync(file, JSON.stringify({ version: 1 }));
    expect(await readSandboxDocument(file)).to.equal(undefined);
  });
});
