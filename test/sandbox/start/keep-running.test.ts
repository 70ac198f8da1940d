import { expect } from "chai";
import { keepRunning } from "../../../packages/sandbox/src/start/keep-running.ts";
import type { RunningProcess } from "../../../packages/sandbox/src/start/running-process.ts";
import { until } from "../../support/eventually.ts";

/** A process that ends when the test says so. */
function fakeProcess(pid: number): RunningProcess & { end(how: string): void; stopped: boolean } {
  let end: (how: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const fake = {
    pid,
    ended,
    end,
    stopped: false,
    hurry: () => undefined,
    stop: async () => {
      fake.stopped = true;
      end("exit code 0");
    },
  };
  return fake;
}

describe("Keeping a program running", () => {
  it("starts it again when it ends, says so, and reports its new pid", async () => {
    const said: string[] = [];
    const told: number[] = [];
    const [first, second] = [fakeProcess(1), fakeProcess(2)];
    const onRestart = async () => void told.push(kept.pid);
    const restart = async () => second;
    const kept = keepRunning({ name: "auth", restart, onRestart, say: (line) => said.push(line) }, first);
    first.end("signal SIGKILL");
    await until(() => told.length > 0, "the restart is told");
    expect(told).to.deep.equal([2]);
    expect(said[0]).to.equal("auth ended (signal SIGKILL); starting it again");
    await kept.stop();
  });

  it("tries again when a start fails", async () => {
    const [first, second] = [fakeProcess(1), fakeProcess(2)];
    let starts = 0;
    const restart = async () => {
      starts += 1;
      if (starts === 1) throw new Error("not yet");
      return second;
    };
    const said: string[] = [];
    const program = {
      name: "auth",
      restart,
      onRestart: async () => undefined,
      say: (line: string) => said.push(line),
    };
    const kept = keepRunning(program, first);
    first.end("exit code 1");
    await until(() => kept.pid === 2, "the second start succeeds");
    expect(said).to.include("auth did not start: not yet");
    await kept.stop();
  });

  it("does not start it again once it is stopped", async () => {
    const first = fakeProcess(1);
    let starts = 0;
    const restart = async () => {
      starts += 1;
      return fakeProcess(2);
    };
    const program = { name: "auth", restart, onRestart: async () => undefined, say: () => undefined };
    await keepRunning(program, first).stop();
    expect({ starts, stopped: first.stopped }).to.deep.equal({ starts: 0, stopped: true });
  });
});
