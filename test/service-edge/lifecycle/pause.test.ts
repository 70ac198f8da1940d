import { pause } from "@cobs/service-edge";
import { expect } from "chai";

const HOUR = 3_600_000;

/** How much hangs on a signal, in whatever collections this release of Node.js has for it. */
function hangingOn(signal: AbortSignal): number {
  const sizes = Object.getOwnPropertySymbols(signal).map((name): unknown => Reflect.get(signal, name)?.size);
  return sizes.reduce<number>((sum, size) => sum + (typeof size === "number" ? size : 0), 0);
}

describe("Pause", () => {
  const living = new AbortController().signal;

  it("ends when its time is over", async () => {
    await pause(1, [living]);
  });

  for (const which of [0, 1])
    it(`ends when one of its signals is raised (${which})`, async () => {
      const raised = new AbortController();
      const over = pause(HOUR, which === 0 ? [raised.signal, living] : [living, raised.signal]);
      raised.abort();
      await over;
    });

  it("ends at once when a signal was raised before", async () => {
    await pause(HOUR, [living, AbortSignal.abort()]);
  });

  it("leaves no listener on a signal that lives on", async () => {
    const before = hangingOn(living);
    for (let round = 0; round < 10; round += 1) await pause(0, [living, new AbortController().signal]);
    expect(hangingOn(living)).to.equal(before);
  });
});
