import { expect } from "chai";
import { startExpiringSigningRequests } from "../../../packages/auth/src/signing/expire-signing-requests.ts";
import { readableLog } from "../../support/readable-log.ts";

const NOW = new Date("2027-03-01T10:00:00Z");

describe("the job that ends signing requests", () => {
  it("goes on at once after a full batch, and looks again after a second when fewer were left", async () => {
    const left = [100, 100, 99, 0];
    const asked: unknown[] = [];
    const pauses: number[] = [];
    let round: Promise<void> = Promise.resolve();
    startExpiringSigningRequests({
      store: {
        expire: async ({ act, now }, limit) => {
          asked.push([act.actor, now, limit]);
          return left[asked.length - 1] ?? 0;
        },
      },
      clock: { now: () => NOW, monotonicMilliseconds: () => 0 },
      log: readableLog().log,
      again: (each) => {
        round = (async () => {
          for (const _ of left) pauses.push(await each(new AbortController().signal));
        })();
        return { stop: () => round };
      },
    });
    await round;
    expect(pauses).to.deep.equal([0, 0, 1_000, 1_000]);
    const batch = [{ kind: "server", part: "signing expiry" }, NOW, 100];
    expect(asked).to.deep.equal([batch, batch, batch, batch]);
  });
});
