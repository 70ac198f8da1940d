import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { isRunning } from "../../../packages/sandbox/src/processes/process-identity.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { makeServiceEnvironments } from "../../support/service-environments.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const PROGRAM = join(import.meta.dirname, "parent-program.ts");

/** The processes that a process has started. */
function childrenOf({ pid }: ChildProcess): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

// The bench reads /proc.
if (process.platform === "linux")
  describe("Service of the bench", () => {
    const folder = temporaryFolder();
    after(() => folder.remove());

    it("ends when the bench is killed, even while it waits for its database", async () => {
      const { resource } = await makeServiceEnvironments(folder.path);
      const nowhere = `postgres://nobody:nothing@127.0.0.1:${await freePort()}/nothing`;
      const parent = spawn(process.execPath, ["--conditions=source", "--import", "tsx", PROGRAM], {
        env: { PATH: process.env.PATH, ...resource, DATABASE_URL: nowhere },
        stdio: "ignore",
      });
      let pids: readonly number[] = [];
      const isService = (pid: number) =>
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("resource/dist/main");
      await eventually(() => {
        pids = childrenOf(parent).filter(isService);
        return pids.length > 0;
      }, 60_000);
      parent.kill("SIGKILL");
      await eventually(() => !pids.some(isRunning), 20_000, "the service ended");
      expect(pids).to.have.lengthOf(1);
    });
  });
