import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { renewWhenChanged } from "../../packages/service-edge/src/tls/renew-when-changed.ts";
import { eventually } from "../support/eventually.ts";

describe("Renewal from files that change", () => {
  /** The states that are found one after another, the last of them from then on; what was renewed, and what failed. */
  async function follow(found: readonly string[], renew: () => void, lookMilliseconds = 0) {
    let asked = 0;
    let [renewed, failed] = [0, 0];
    const following = renewWhenChanged({
      state: async () => {
        const state = found[Math.min(asked++, found.length - 1)] ?? "";
        await delay(lookMilliseconds);
        return state;
      },
      inForce: "old certificate, old key",
      renew: () => {
        renew();
        renewed += 1;
      },
      onFailure: () => {
        failed += 1;
      },
      intervalMilliseconds: 1,
    });
    await eventually(() => asked > 2 * found.length + 4);
    following.stop();
    // What is still looked at then ends too: each look asks twice.
    await delay(4 * lookMilliseconds);
    return { renewed, failed };
  }
  const WHILE_BOTH_ARE_REPLACED = ["old certificate, new key", "new certificate, new key"];

  it("is done once for a change that comes while they are looked at", async () => {
    const ends = await follow(WHILE_BOTH_ARE_REPLACED, () => undefined);
    expect(ends).to.deep.equal({ renewed: 1, failed: 0 });
  });

  it("is done once for a change, however long a look takes", async () => {
    const ends = await follow(["new certificate, new key"], () => undefined, 20);
    expect(ends).to.deep.equal({ renewed: 1, failed: 0 });
  });

  it("fails once for such a change that cannot be used", async () => {
    const ends = await follow(WHILE_BOTH_ARE_REPLACED, () => {
      throw new Error("they do not belong together");
    });
    expect(ends).to.deep.equal({ renewed: 0, failed: 1 });
  });
});
