import { EventEmitter } from "node:events";
import { expect } from "chai";
import { onInterruption } from "../../../packages/sandbox/src/terminal/on-interruption.ts";

describe("Interrupted command", () => {
  it("ends once, and is not killed halfway by the signal that npm passes on after the terminal's", () => {
    const signals = new EventEmitter();
    let ended = 0;
    onInterruption(() => {
      ended += 1;
    }, signals);
    // A signal that nobody listens to any more kills.
    const heard = ["SIGINT", "SIGINT", "SIGTERM", "SIGTERM"].map((signal) => signals.emit(signal));
    expect({ heard, ended }).to.deep.equal({ heard: [true, true, true, true], ended: 1 });
  });
});
