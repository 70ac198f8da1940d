import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { makeSandboxFolder } from "../../../packages/sandbox/src/start/make-sandbox-folder.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("Folder of a sandbox", () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  for (const mask of [0o022, 0o077])
    it(`is created with its parents, passable for others and empty, with umask ${mask.toString(8)}`, async () => {
      const folder = join(path, `above-${mask}`, "sandbox");
      const former = process.umask(mask);
      await makeSandboxFolder(folder).finally(() => process.umask(former));
      for (const made of [folder, join(folder, "..")])
        expect(statSync(made).mode & 0o777, made).to.equal(0o711);
      expect(readdirSync(folder)).to.deep.equal([]);
    });

  it("is left unchanged when it exists", async () => {
    const folder = join(path, "former");
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, "kept"), "");
    await makeSandboxFolder(folder);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    expect(existsSync(join(folder, "kept"))).to.equal(true);
  });

  it("contains no trial file of a killed start, nor of two at once", async () => {
    const folder = join(path, "tried");
    mkdirSync(join(folder, "trial-k1LLed"), { recursive: true });
    await Promise.all([makeSandboxFolder(folder), makeSandboxFolder(folder)]);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  for (const place of ["/proc", "/proc/sandbox", "/proc/sandbox/below", "package.json", "package.json/below"])
    it(`is refused at once where nothing can be stored: ${place}`, async () => {
      const error = await rejectionOf(makeSandboxFolder(place));
      expect(error).to.include({ code: "folder_unusable" });
      expect(String(error)).to.include(`nothing can be stored in ${place}: E`);
    });
});
