import { expect } from "chai";
import { createSlots } from "../../packages/service-edge/src/client/slots.ts";
import { eventually } from "../support/eventually.ts";
import { rejectionOf } from "../support/rejection.ts";

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
    expect(begun, "as many at once as may be").to.deep.equal([0, 1]);
    for (let at = 0; at < calls.length; at += 1) {
      await eventually(() => ends.length > at);
      ends[at]?.();
    }
    await Promise.all(calls);
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it("give no turn to who has left in vain", async () => {
    const slots = createSlots({ atOnce: 1, mostWaiting: 1, waitMilliseconds: 30, refuse: Error });
    let end = () => {};
    const first = slots.run(() => new Promise<void>((resolve) => (end = resolve)));
    expect(await rejectionOf(slots.run(async () => {}))).to.include({ message: "no turn within 30 ms" });
    expect(slots.waiting).to.equal(0);
    const third = slots.run(async () => "its turn");
    end();
    await first;
    expect(await third).to.equal("its turn");
    expect(await slots.run(async () => "free again")).to.equal("free again");
  });
});
