import { expect } from "chai";
import { createSlots } from "../../packages/service-edge/src/client/slots.ts";
import { eventually } from "../support/eventually.ts";

describe("slots for tasks", () => {
  it("give their turns in the order of asking", async () => {
    const slots = createSlots({ atOnce: 2, mostWaiting: 8, waitMilliseconds: 60_000, refuse: Error });
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const calls = Array.from({ length: 6 }, (_none, at) =>
      slots.run(() => {
        begun.push(at);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    for (let at = 0; at < calls.length; at += 1) {
      await eventually(() => ends.length > at);
      ends[at]?.();
    }
    await Promise.all(calls);
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });
});
