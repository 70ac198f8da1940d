import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { commandOf, type ProgramRun, startProgram } from "../../support/program.ts";
import { makeServiceEnvironments } from "../../support/service-environments.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";

/** `script` of Linux opens a terminal for a command. */
const HAS_TERMINALS = process.platform === "linux";

/** The numbers of the processes that said so, in order; of one alone nothing. */
function whoIsReady(stdout: string): readonly unknown[] {
  const lines: Record<string, unknown>[] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines
    .filter(({ msg }) => msg === "ready")
    .map(({ process }) => process)
    .sort();
}

async function saysReady(output: Readable, times: number): Promise<void> {
  let text = "";
  for await (const piece of output.iterator({ destroyOnReturn: false })) {
    text += piece;
    if (text.split('"msg":"ready"').length > times) return void output.resume();
  }
  throw new Error(`it was not ready:\n${text}`);
}

describe("Service that receives signals", () => {
  const folder = temporaryFolder();
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    const { auth } = await makeServiceEnvironments(folder.path);
    environment = { ...auth, DATABASE_URL: await createMigratedTestDatabase(MIGRATIONS_DIRECTORY) };
  });
  after(() => folder.remove());

  for (const processes of [1, 2])
    describe(`running as ${processes} process(es)`, () => {
      let run: ProgramRun;
      before(async () => {
        const commandLine = ["--processes", String(processes)];
        const service = startProgram("packages/auth/src/main.ts", commandLine, environment);
        await service.says("stdout", new RegExp(`("msg":"ready"[^]*){${processes}}`));
        service.child.kill("SIGUSR1");
        // What the one before does, it would do before it hears this one.
        service.child.kill("SIGHUP");
        run = await service.ended();
      });

      it("ends in order when its terminal closes, and names the process in each line of the log", () => {
        const { exitCode, stdout } = run;
        expect(stdout.match(/"reason":"SIGHUP","drainDelaySeconds"/g)).to.have.length(processes);
        expect(exitCode).to.equal(0);
        expect(whoIsReady(stdout), "which process wrote a line").to.deep.equal(
          processes === 1 ? [undefined] : [1, 2],
        );
      });

      it("opens no debugger to others on the machine", () => {
        expect(run.stderr).not.to.include("Debugger");
        expect(run.stderr).not.to.include("inspector");
      });
    });

  if (HAS_TERMINALS) {
    it("exits with 0 even without its terminal, in all its processes", async () => {
      const result = join(folder.path, "exit-code");
      const service = `"${commandOf("packages/auth/src/main.ts").join('" "')}"`;
      const inside = `trap : HUP; ${service} --processes 2; echo $? > "${result}"`;
      // With the terminal goes the shell that leads its session, and with that everything in front.
      const terminal = spawn("script", ["-qefc", `sh -c '${inside}'; :`, "/dev/null"], {
        env: { PATH: process.env.PATH, ...environment },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await saysReady(terminal.stdout, 2);
      terminal.kill("SIGKILL");
      const exitCode = () => readFile(result, "utf8").catch(() => "");
      await eventually(async () => (await exitCode()) !== "");
      expect(await exitCode()).to.equal("0\n");
    });
  }
});
