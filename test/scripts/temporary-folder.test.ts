import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";

const FOLDER = resolve(import.meta.dirname, "../support/temporary-folder.ts");
const LIMIT_MILLISECONDS = 20_000;
const PROGRAM = `
  import { makeTemporaryFolder } from ${JSON.stringify(FOLDER)};
  for (let count = 0; count < 2; count += 1) console.log(makeTemporaryFolder("cobs-ends-"));
  process.stdin.resume();
`;

describe("Temporary folder", function folders() {
  this.timeout(120_000);

  async function makeTwo(): Promise<{ readonly child: ChildProcess; readonly folders: readonly string[] }> {
    const options = ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", PROGRAM];
    const child = spawn(process.execPath, options, { stdio: ["pipe", "pipe", "inherit"], detached: true });
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await eventually(() => said.split("\n").length === 3, LIMIT_MILLISECONDS);
    return { child, folders: said.trim().split("\n") };
  }

  const ends: readonly (readonly [how: string, end: (child: ChildProcess) => void])[] = [
    ["ends by itself", (child) => child.stdin?.end()],
    ["is interrupted with Ctrl-C", ({ pid = 0 }) => process.kill(-pid, "SIGINT")],
    ["is told to end", (child) => child.kill("SIGTERM")],
    ["is killed, with its whole group", ({ pid = 0 }) => process.kill(-pid, "SIGKILL")],
  ];
  for (const [how, end] of ends)
    it(`is gone after a process that ${how}`, async () => {
      const { child, folders } = await makeTwo();
      for (const folder of folders) {
        expect(statSync(folder).mode & 0o777).to.equal(0o700);
        writeFileSync(join(folder, "left"), "something");
      }
      end(child);
      await once(child, "exit");
      await eventually(() => !folders.some(existsSync), LIMIT_MILLISECONDS);
    });
});
