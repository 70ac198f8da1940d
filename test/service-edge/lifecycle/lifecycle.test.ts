import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { createLifecycle } from "../../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { createEnding } from "../../../packages/service-edge/src/lifecycle/stop-on-signals.ts";
import { readableLog } from "../../support/readable-log.ts";

describe("Lifecycle of a process", () => {
  function open() {
    const { log, lines } = readableLog();
    const done: string[] = [];
    const lifecycle = createLifecycle(log);
    const close = (name: string) => async () => void done.push(`${name} closed`);
    lifecycle.onStop("first", close("first"));
    lifecycle.onDrain("entrance", { drain: () => void done.push("drains"), close: close("entrance") });
    lifecycle.onStop("last", close("last"));
    return { lifecycle, lines, done };
  }

  it("is no longer ready when it drains, but closes nothing", () => {
    const { lifecycle, done } = open();
    expect(lifecycle.running).to.equal(true);
    lifecycle.drain();
    lifecycle.drain();
    expect(lifecycle.running).to.equal(false);
    expect(done).to.deep.equal(["drains"]);
  });

  it("closes its entrances first, then what they need in the opposite order", async () => {
    const { lifecycle, done } = open();
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(done).to.deep.equal(["drains", "entrance closed", "last closed", "first closed"]);
  });

  it("closes a part only after what needs it has closed", async () => {
    const { lifecycle, done } = open();
    lifecycle.onStop("job", () => delay(1).then(() => void done.push("job closed")));
    await lifecycle.stop();
    expect(done.slice(2)).to.deep.equal(["job closed", "last closed", "first closed"]);
  });

  it("closes at once what a start that is still under way opens after the end has begun", async () => {
    const { lifecycle, done } = open();
    await lifecycle.stop();
    lifecycle.onStop("job", async () => void done.push("job closed"));
    lifecycle.onDrain("late", {
      drain: () => void done.push("late drains"),
      close: async () => void done.push("late closed"),
    });
    expect(done.slice(4)).to.deep.equal(["job closed", "late drains", "late closed"]);
  });

  it("closes its entrances at the same time", async () => {
    const { lifecycle } = open();
    let other = () => {};
    const opened = new Promise<void>((resolve) => {
      other = resolve;
    });
    lifecycle.onDrain("one", { drain: () => {}, close: () => opened });
    lifecycle.onDrain("two", { drain: () => {}, close: async () => other() });
    await lifecycle.stop();
  });

  it("closes the rest when one part cannot be closed, and logs which", async () => {
    const { lifecycle, lines, done } = open();
    lifecycle.onDrain("broken", { drain: () => {}, close: () => Promise.reject(new Error("no")) });
    await lifecycle.stop();
    expect(done.at(-1)).to.equal("first closed");
    expect(lines.at(-1)).to.include({ part: "broken", msg: "a part did not close" });
  });
});

describe("Request to end", () => {
  it("ends at once when repeated later, but not when the same signal arrives twice together", async () => {
    const done: string[] = [];
    const { ask } = createEnding(
      (reason) => done.push(`begins: ${reason}`),
      (reason) => done.push(`at once: ${reason}`),
    );
    for (const signal of ["SIGINT", "SIGINT"]) ask(signal);
    expect(done).to.deep.equal(["begins: SIGINT"]);
    await delay(600);
    ask("SIGTERM");
    expect(done).to.deep.equal(["begins: SIGINT", "at once: SIGTERM"]);
  });
});
