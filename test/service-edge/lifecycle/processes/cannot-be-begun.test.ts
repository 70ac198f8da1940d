import { once } from "node:events";
import { copyFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { spawnWithWatchdog } from "../../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { eventually } from "../../../support/eventually.ts";
import { freePort } from "../../../support/free-port.ts";
import { temporaryFolder } from "../../../support/test-listener.ts";

const PROGRAM = resolve(import.meta.dirname, "smallest-service.ts");

describe("a service in several processes of which one cannot be begun", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it("goes on with those that serve, and tries again", async () => {
    // As where Node.js is replaced meanwhile, or where the machine has no room for another process.
    const [node, away] = [join(folder.path, "node"), join(folder.path, "node-away")];
    await copyFile(process.execPath, node);
    const port = await freePort();
    const child = spawnWithWatchdog(
      {
        command: [node, "--conditions=source", "--import", "tsx", PROGRAM, "--processes", "2"],
        cwd: resolve(import.meta.dirname, "../../../.."),
        env: { PATH: process.env.PATH ?? "/usr/bin:/bin", OPERATOR_PORT: String(port) },
        stdio: ["ignore", "pipe", "inherit"],
      },
      { first: "SIGTERM", last: "SIGKILL", graceSeconds: 5 },
    );
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const closed = once(child, "close");
    const countOf = (text: string) => said.split(`"msg":"${text}`).length - 1;
    try {
      await eventually(() => countOf("ready") === 2);
      await rename(node, away);
      process.kill(Number(/"pid":(\d+),"msg":"begun"/.exec(said)?.[1]), "SIGKILL");
      await eventually(() => countOf("a process could not be begun") > 0);
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).to.equal(200);
      await rename(away, node);
      await eventually(() => countOf("ready") === 3);
    } finally {
      child.kill("SIGTERM");
    }
    await closed;
    expect(child.exitCode).to.equal(0);
  }).timeout(60_000);
});
