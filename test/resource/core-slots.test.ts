import { expect } from "chai";
import { createCoreSlots } from "../../packages/resource/src/bank/http-connector/core-slots.ts";
import { eventually } from "../support/eventually.ts";

describe("the slots of a core system", () => {
  it("give their turns in the order of asking", async () => {
    const slots = createCoreSlots({ atOnce: 2, waiting: 8, waitMilliseconds: 60_000 });
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
