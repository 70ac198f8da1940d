import { expect } from "chai";
import { reportError } from "../../../packages/sandbox/src/processes/tell-error.ts";

describe("a command of the sandbox that fails", () => {
  function told(thrown: unknown): { readonly exitCode: number; readonly text: string } {
    const written: string[] = [];
    const outlet = {
      say: (text: string) => written.push(text),
      complain: (text: string) => written.push(text),
    };
    return { exitCode: reportError(thrown, outlet, false), text: written.join("") };
  }

  it("tells in a sentence that its disk is full", () => {
    const message = "ENOSPC: no space left on device, write";
    const full = Object.assign(new Error(message), { code: "ENOSPC" });
    expect(told(full)).to.deep.equal({ exitCode: 1, text: `${message}\n` });
  });

  it("tells of a fault of ours with its stack", () => {
    expect(told(new TypeError("a fault")).text).to.match(/^TypeError: a fault\n +at /);
  });
});
