import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";
import { spawnWithWatchdog } from "../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { endOf, firstLine } from "../postgres/started-server.ts";

const STOP = { first: "SIGTERM", last: "SIGKILL", graceSeconds: 1 } as const;
const PLACE = { cwd: "/", env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "pipe", "ignore"] } as const;

describe("Child process under a watchdog", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** Starts a parent that starts a shell with this script under a watchdog; gives the shell's first line, its pid. */
  async function parentOf(script: string, graceSeconds = 1): Promise<{ parent: ChildProcess; pid: number }> {
    const program = join(import.meta.dirname, "parent-program.ts");
    const commandLine = ["--conditions=source", "--import", "tsx", program, script, String(graceSeconds)];
    const parent = spawn(process.execPath, commandLine, {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(parent);
    return { parent, pid: Number(await firstLine(parent)) };
  }

  it("has the pid that the parent knows, and its own arguments and output", async () => {
    const child = spawnWithWatchdog({ ...PLACE, command: ["sh", "-c", 'echo $$ "$1"', "sh", "a b"] }, STOP);
    expect(await firstLine(child)).to.equal(`${child.pid} a b`);
  });

  it("gets its signal when the parent is killed", async () => {
    const { parent, pid } = await parentOf("echo $$; exec sleep 60", 30);
    parent.kill("SIGKILL");
    // Long before the end of the grace.
    await endOf(pid, 10_000);
  });

  it("is killed after the grace period when it ignores the signal", async () => {
    const { parent, pid } = await parentOf("trap '' TERM; echo $$; while :; do sleep 0.1; done");
    const since = Date.now();
    parent.kill("SIGKILL");
    await endOf(pid, 10_000);
    expect(Date.now() - since).to.be.at.least(900);
  });

  it("leaves no watchdog behind when it ends first", async () => {
    const child = spawnWithWatchdog({ ...PLACE, command: ["sleep", "0.05"] }, STOP);
    await once(child, "close");
    const group = Number(child.pid);
    const since = Date.now();
    while (groupExists(group)) {
      if (Date.now() - since > 8_000) throw new Error("the watchdog still runs");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
});

// The child leads a group of its own, in which the watchdog is the only other member.
function groupExists(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
