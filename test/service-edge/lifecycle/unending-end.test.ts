import { once } from "node:events";
import { resolve } from "node:path";
import { expect } from "chai";
import { spawnWithWatchdog } from "../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { eventually } from "../../support/eventually.ts";

const PROGRAM = resolve(import.meta.dirname, "unending-service.ts");

describe("Service with a part that does not close", () => {
  function start(...argument: string[]) {
    const service = spawnWithWatchdog(
      {
        command: [process.execPath, "--conditions=source", "--import", "tsx", PROGRAM, ...argument],
        cwd: resolve(import.meta.dirname, "../../.."),
        env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
        stdio: ["ignore", "pipe", "inherit"],
      },
      { first: "SIGKILL", last: "SIGKILL", graceSeconds: 1 },
    );
    let said = "";
    service.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const says = (text: string) => eventually(() => said.includes(`"msg":"${text}`), 30_000);
    const ended = once(service, "close").then(() => {
      const lines: Record<string, unknown>[] = said
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      return { exitCode: service.exitCode, lines };
    });
    return { service, says, ended };
  }

  it("accepts callers during its drain delay, and exits with 1 when its time to end is over", async () => {
    const { service, says, ended } = start();
    await says("ready");
    service.kill("SIGTERM");
    const { exitCode, lines } = await ended;
    expect(lines.map(({ msg }) => msg).slice(-4)).to.deep.equal([
      "stopping",
      "drains",
      "closes",
      "something could not be closed in time",
    ]);
    const at = (what: string) => Number(lines.find(({ msg }) => msg === what)?.at);
    // A timer may come a millisecond early.
    expect(at("closes") - at("drains")).to.be.at.least(999);
    expect(exitCode).to.equal(1);
  });

  it("exits with 1 after a failed start, when its time to end is over", async () => {
    const { exitCode, lines } = await start("cannot start").ended;
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      "the service could not start",
      "drains",
      "closes",
      "something could not be closed in time",
    ]);
    expect(exitCode).to.equal(1);
  });

  it("exits with 1 at once on a second signal", async () => {
    const { service, says, ended } = start();
    await says("ready");
    service.kill("SIGTERM");
    await says("closes");
    service.kill("SIGTERM");
    const { exitCode, lines } = await ended;
    expect(lines.at(-1)).to.include({ reason: "SIGTERM", msg: "ended at once; calls under way are cut" });
    expect(exitCode).to.equal(1);
  });
});
