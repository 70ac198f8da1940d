import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { spawnWithWatchdog } from "../../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { eventually } from "../../../support/eventually.ts";
import { freePort } from "../../../support/free-port.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const PROGRAM = resolve(import.meta.dirname, "smallest-service.ts");
const OWN = { log_lines_lost_total: "0", processes_wanted: "2" };

describe("Service in two processes", function twoProcesses() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const [node, away] = [join(folder.path, "node"), join(folder.path, "node-away")];
  const unfitIf = join(folder.path, "unfit");
  let [port, said] = [0, ""];
  let service: ChildProcess;
  const countOf = (text: string) => said.split(`"msg":"${text}`).length - 1;
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

  /** What the first process says of the others, and of its own log. */
  async function ownFigures(): Promise<Readonly<Record<string, string>>> {
    const figures = await (await ask("/metrics")).text();
    const lines = figures.matchAll(/^(\w+)\{service="smallest"\} (\S+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
  }

  before(async () => {
    await copyFile(process.execPath, node);
    port = await freePort();
    service = spawnWithWatchdog(
      {
        command: [node, "--conditions=source", "--import", "tsx", PROGRAM, "--processes", "2"],
        cwd: resolve(import.meta.dirname, "../../../.."),
        env: { PATH: process.env.PATH ?? "/usr/bin:/bin", OPERATOR_PORT: String(port), UNFIT_IF: unfitIf },
        stdio: ["ignore", "pipe", "inherit"],
      },
      { first: "SIGTERM", last: "SIGKILL", graceSeconds: 5 },
    );
    service.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await eventually(() => countOf("ready") === 2);
  });
  after(async () => {
    const closed = once(service, "close");
    service.kill("SIGTERM");
    await closed;
    folder.remove();
    expect(service.exitCode).to.equal(0);
  });

  it("gives the metrics of both even while their database hangs", async () => {
    const figures = await (await ask("/metrics")).text();
    expect(figures.match(/^service_ready\{process="[12]"\} 0$/gm)).to.have.length(2);
  });

  it("gives infinite values as such, not as missing", async () => {
    const figures = await (await ask("/metrics")).text();
    expect(figures.match(/^answer_age_seconds\{process="[12]"\} \+Inf$/gm)).to.have.length(2);
  });

  it("serves with one process while the other cannot be started, and tries to start it again", async () => {
    // As where Node.js is replaced meanwhile, or where the machine has no room for another process.
    await rename(node, away);
    process.kill(Number(/"pid":(\d+),"msg":"begun"/.exec(said)?.[1]), "SIGKILL");
    await eventually(() => countOf("a process could not be started") > 0);
    expect((await ask("/readyz")).status).to.equal(200);
    expect(await ownFigures()).to.deep.equal({ ...OWN, processes_ready: "1" });
    await rename(away, node);
    await eventually(() => countOf("ready") === 3);
    expect(await ownFigures()).to.deep.equal({ ...OWN, processes_ready: "2" });
  });

  it("says in the log why another cannot take the place of one that ended", async () => {
    const [begun, ready] = [countOf("begun"), countOf("ready")];
    await writeFile(unfitIf, "");
    process.kill(Number([...said.matchAll(/"pid":(\d+),"msg":"begun"/g)].at(-1)?.[1]), "SIGKILL");
    await eventually(() => countOf("the service could not start") > 0);
    expect(said).to.match(/"level":60,.*"process":[12],.*KEY_FILE: the key is of another certificate/);
    await rm(unfitIf);
    await eventually(() => countOf("ready") === ready + 1);
    expect(countOf("begun")).to.equal(begun + 1);
  });
});
