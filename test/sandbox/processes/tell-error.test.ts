import { join } from "node:path";
import { expect } from "chai";
import { inTurn } from "../../../packages/sandbox/src/files/in-turn.ts";
import { takeLock } from "../../../packages/sandbox/src/files/take-lock.ts";
import { reportError } from "../../../packages/sandbox/src/terminal/tell-error.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("Failing command of the sandbox", () => {
  function told(thrown: unknown): { readonly exitCode: number; readonly text: string } {
    const written: string[] = [];
    const outlet = {
      say: (text: string) => written.push(text),
      complain: (text: string) => written.push(text),
    };
    return { exitCode: reportError(thrown, outlet, false), text: written.join("") };
  }

  for (const [code, message] of [
    ["ENOSPC", "ENOSPC: no space left on device, write"],
    ["EROFS", "EROFS: read-only file system, mkdir '/mnt/issued'"],
    ["EACCES", "EACCES: permission denied, mkdir '/root/issued'"],
  ])
    it(`says in a sentence what cannot be written (${code})`, () => {
      const unwritable = Object.assign(new Error(message), { code });
      expect(told(unwritable)).to.deep.equal({ exitCode: 1, text: `${message}\n` });
    });

  it("says in a sentence that another command holds a file", async () => {
    const { path, remove } = temporaryFolder();
    const file = join(path, "revoked.json");
    const keeping = await takeLock(`${file}.lock`);
    const { exitCode, text } = told(await rejectionOf(inTurn(file, () => Promise.resolve(), 50)));
    await keeping.release();
    remove();
    const who = `another command, process ${process.pid}, holds ${file}.lock`;
    expect({ exitCode, text }).to.deep.equal({ exitCode: 1, text: `${who}: wait for it, or end it\n` });
  });

  it("prints a fault of ours with its stack", () => {
    expect(told(new TypeError("a fault")).text).to.match(/^TypeError: a fault\n +at /);
  });
});
