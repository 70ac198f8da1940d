import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { expect } from "chai";
import { createTestCa, type TestCa } from "../../../../packages/sandbox/src/certificates/test-ca.ts";
import { spawnWithWatchdog } from "../../../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { eventually } from "../../../support/eventually.ts";
import { freePort } from "../../../support/free-port.ts";
import { writeServerKeyPair } from "../../../support/server-key-pair.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const PROGRAM = resolve(import.meta.dirname, "listening-service.ts");
/** Longer than what counts as the same request twice. */
const APART_MILLISECONDS = 1_000;
const DRAIN_DELAY_SECONDS = 2;
/** Between two new connections, at least. */
const PAUSE_MILLISECONDS = 30;
/** From the opening of a connection to its handshake, so that some are open when the process accepts no more. */
const LATE_MILLISECONDS = 500;
/** A call that has no answer by then is lost. */
const LOST_MILLISECONDS = 10_000;
const ANSWERED = "HTTP/1.1 200 OK";

describe("Ending process, one of several", () => {
  const folder = temporaryFolder();
  let [port, said] = [0, ""];
  let service: ChildProcess;
  let ca: TestCa;
  const readyTimes = () => said.split('"msg":"ready').length - 1;
  /** Of the process that was started last. */
  const lastPid = () => Number([...said.matchAll(/"pid":(\d+),"msg":"begun"/g)].at(-1)?.[1]);
  before(async () => {
    ca = await createTestCa(new Date());
    const { certificateFile, keyFile } = await writeServerKeyPair(ca, folder.path, new Date());
    port = await freePort();
    service = spawnWithWatchdog(
      {
        command: [process.execPath, "--conditions=source", "--import", "tsx", PROGRAM, "--processes", "2"],
        cwd: resolve(import.meta.dirname, "../../../.."),
        env: {
          PATH: process.env.PATH ?? "/usr/bin:/bin",
          OPERATOR_PORT: String(await freePort()),
          PORT: String(port),
          CERTIFICATE_FILE: certificateFile,
          KEY_FILE: keyFile,
          DRAIN_DELAY_SECONDS: String(DRAIN_DELAY_SECONDS),
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
      { first: "SIGTERM", last: "SIGKILL", graceSeconds: 10 },
    );
    service.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await eventually(() => readyTimes() === 2);
  });
  after(() => {
    if (service.exitCode === null) service.kill("SIGKILL");
    folder.remove();
  });

  /** The first line of the answer to a call on a new connection; empty if there is none. The handshake begins so much later. */
  async function answerTo(lateMilliseconds: number): Promise<string> {
    const below = connectTcp(port, "127.0.0.1").on("error", () => undefined);
    await delay(lateMilliseconds);
    const socket = connectTls({ socket: below, servername: "localhost", ca: ca.web.certificatePem });
    let answer = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", () => below.destroy());
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const lost = setTimeout(() => below.destroy(), LOST_MILLISECONDS);
    if (!below.destroyed) await once(below, "close");
    clearTimeout(lost);
    return answer.split("\r\n")[0] ?? "";
  }

  it("answers every call on a new connection until another process has taken its place", async () => {
    const calls: Promise<string>[] = [];
    process.kill(lastPid(), "SIGTERM");
    await eventually(async () => {
      calls.push(answerTo(LATE_MILLISECONDS));
      await delay(PAUSE_MILLISECONDS);
      return readyTimes() === 3;
    });
    expect(new Set(await Promise.all(calls))).to.deep.equal(new Set([ANSWERED]));
  });

  it("loses no connection that the first process, busy until then, hands over at the last moment", async () => {
    service.kill("SIGSTOP");
    process.kill(lastPid(), "SIGTERM");
    const calls = Array.from({ length: 4 }, () => answerTo(0));
    await delay(DRAIN_DELAY_SECONDS * 1_000 + APART_MILLISECONDS);
    service.kill("SIGCONT");
    expect(await Promise.all(calls)).to.deep.equal(calls.map(() => ANSWERED));
    await eventually(() => readyTimes() === 4);
  });

  it("ends in order when all are told to end meanwhile, as by a deployment during a renewal", async () => {
    const closed = once(service, "close");
    process.kill(lastPid(), "SIGTERM");
    await delay(APART_MILLISECONDS);
    service.kill("SIGTERM");
    await closed;
    expect(said).to.not.include("ended at once");
    expect(service.exitCode).to.equal(0);
  });
});
