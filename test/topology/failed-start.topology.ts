import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { lockSandbox } from "../../packages/sandbox/src/start/lock-sandbox.ts";
import { startTopology } from "../../scripts/topology/start-topology.ts";
import { eventually } from "../support/eventually.ts";
import { rejectionOf } from "../support/rejection.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The programs that this process has started, each with its command line. */
function startedPrograms(): readonly string[] {
  const pids = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return pids.map(commandLineOf).filter((words) => words !== "");
}

/** Empty where it has ended meanwhile. */
function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

describe("Topology whose services do not start", () => {
  const { path, remove } = temporaryFolder();
  after(remove);

  it("leaves nothing running, not even the proxy in front of them", async () => {
    const before = startedPrograms();
    const nothingBuilt = { directory: join(path, "bank"), root: path, say: () => undefined };
    expect((await rejectionOf(startTopology(nothingBuilt))).message).to.include("did not become ready");
    const left = () => startedPrograms().filter((program) => !before.includes(program));
    await eventually(() => left().length === 0, 10_000, "all had ended").catch(() =>
      expect(left()).to.deep.equal([]),
    );
    expect(readdirSync(nothingBuilt.directory), "the lock").not.to.include("supervisor");
  });

  it("is refused in a folder where another one runs, whose files name other ports", async () => {
    const sameFolder = { directory: join(path, "bank"), root: path, say: () => undefined };
    const running = await lockSandbox(join(path, "bank", "supervisor"));
    const refusal = await rejectionOf(startTopology(sameFolder));
    expect(refusal).to.include({ name: "SandboxRefusal", code: "already_running" });
    expect(refusal.message).to.include("give another --directory to start another");
    await running.release();
  });
});
