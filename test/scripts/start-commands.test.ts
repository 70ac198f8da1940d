import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { makeServiceEnvironments, type ServiceEnvironments } from "../support/service-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// Nobody listens there: the service has started, and waits.
const NO_DATABASE = "postgresql://nobody@127.0.0.1:1/nothing";

describe("Commands that start a service", () => {
  const folder = temporaryFolder();
  let environments: ServiceEnvironments;
  before(async () => {
    environments = await makeServiceEnvironments(folder.path);
  });
  after(() => folder.remove());

  /** Starts it, sends npm alone a SIGTERM once it runs, and gives how npm ended and whether nobody is left. */
  async function terminate(service: "auth" | "resource") {
    const { PATH = "/usr/bin:/bin", HOME = "/" } = process.env;
    const env = { PATH, HOME, ...environments[service], DATABASE_URL: NO_DATABASE };
    const npm = spawn("npm", ["run", "-s", `start:${service}`], {
      env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      npm.stdout.setEncoding("utf8");
      const ended = once(npm, "exit");
      for await (const said of npm.stdout) if (said.includes("does not answer yet")) break;
      npm.kill("SIGTERM");
      const [code] = await ended;
      return { code, leavesNobody: !killGroup(npm, 0) };
    } finally {
      killGroup(npm, "SIGKILL");
    }
  }

  for (const service of ["auth", "resource"] as const)
    it(`end ${service} in order with exit code 0 when npm is told to end`, async () => {
      expect(await terminate(service)).to.deep.equal({ code: 0, leavesNobody: true });
    });
});

/** Whether anybody of its group was there. */
function killGroup({ pid }: ChildProcess, signal: "SIGKILL" | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
