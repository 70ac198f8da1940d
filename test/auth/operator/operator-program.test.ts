import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect } from "chai";
import { EXIT_CODES } from "../../../packages/auth/src/operator/command-refusal.ts";
import { endOfChild } from "../../support/end-of-child.ts";
import { commandOf } from "../../support/program.ts";

/** Those of the image, which has no npm scripts. */
const PROGRAMS = [
  "packages/auth/src/operator/main.ts",
  "packages/auth/src/after-restore/main.ts",
  "packages/resource/src/core-kit/main.ts",
];

describe("The operator's program", () => {
  it("shows in its help how its output gets into a file without what npm prints before it", () => {
    const [node = "", ...command] = commandOf("packages/auth/src/operator/main.ts");
    const help = execFileSync(node, [...command, "--help"], { encoding: "utf8" });
    const intoFiles = help.split("\n").filter((line) => line.includes(" > "));
    expect(intoFiles).to.deep.equal(["  npm run -s auth -- audit export > audit.jsonl"]);
  });

  it("lists in its help every exit code that it uses", () => {
    const [node = "", ...command] = commandOf("packages/auth/src/operator/main.ts");
    const help = execFileSync(node, [...command, "--help"], { encoding: "utf8" });
    const [, told = ""] = /^Exit codes: (.*)\.\n$/ms.exec(help) ?? [];
    const codes = told.split(/,\s/).map((each) => Number.parseInt(each, 10));
    const all = [0, 1, 141, ...Object.values(EXIT_CODES)];
    expect(codes).to.have.members([...new Set(all)]);
  });

  it("shows in its help ids in the form of those of consents and applications", () => {
    const [node = "", ...command] = commandOf("packages/auth/src/operator/main.ts");
    const help = execFileSync(node, [...command, "--help"], { encoding: "utf8" });
    const ids = [...help.matchAll(/ (?:--application|consents end) (\S+)/g)].map(([, id]) => id);
    expect(ids).to.have.lengthOf(2);
    for (const id of ids) expect(id).to.match(/^[A-Za-z0-9_-]{22}$/);
  });
});

for (const program of PROGRAMS)
  describe(`${program}`, () => {
    const [node = "", ...command] = commandOf(program);

    it("exits silently when nobody reads its output", async () => {
      const child = spawn(node, [...command, "--help"], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.destroy();
      expect(await endOfChild(child)).to.deep.equal({ code: 141, complaint: "" });
    });

    it("says in one line that its output cannot be written", async () => {
      const full = openSync("/dev/full", "w");
      const child = spawn(node, [...command, "--help"], {
        stdio: ["ignore", full, "pipe"],
      });
      const { code, complaint } = await endOfChild(child);
      closeSync(full);
      expect(complaint).to.equal("The output cannot be written: ENOSPC: no space left on device, write\n");
      expect(code).to.equal(1);
    });
  });
