import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { spawnWithWatchdog } from "../../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { eventually } from "../../../support/eventually.ts";
import { freePort } from "../../../support/free-port.ts";

const PROGRAM = resolve(import.meta.dirname, "smallest-service.ts");
/** Longer than what counts as the same request twice. */
const APART_MILLISECONDS = 1_000;

describe("Ending process, one of several", function endingProcess() {
  this.timeout(60_000);
  let service: ChildProcess;
  let said = "";
  before(async () => {
    service = spawnWithWatchdog(
      {
        command: [process.execPath, "--conditions=source", "--import", "tsx", PROGRAM, "--processes", "2"],
        cwd: resolve(import.meta.dirname, "../../../.."),
        env: {
          PATH: process.env.PATH ?? "/usr/bin:/bin",
          OPERATOR_PORT: String(await freePort()),
          DRAIN_DELAY_SECONDS: "3",
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
      { first: "SIGTERM", last: "SIGKILL", graceSeconds: 10 },
    );
    service.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await eventually(() => said.split('"msg":"ready').length === 3);
  });
  after(() => service.exitCode === null && service.kill("SIGKILL"));

  it("ends in order when all are told to end meanwhile, as by a deployment during a renewal", async () => {
    const closed = once(service, "close");
    process.kill(Number(/"pid":(\d+),"msg":"begun"/.exec(said)?.[1]), "SIGTERM");
    await delay(APART_MILLISECONDS);
    service.kill("SIGTERM");
    await closed;
    expect(said).to.not.include("ended at once");
    expect(service.exitCode).to.equal(0);
  });
});
