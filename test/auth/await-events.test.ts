import { expect } from "chai";
import { awaitEvents } from "../../packages/auth/src/feed/await-events.ts";
import type { FeedBatch } from "../../packages/auth/src/feed/feed.ts";
import type { FeedWake } from "../../packages/auth/src/feed/feed-wake.ts";

describe("Waiting for events", () => {
  it("does not miss an event that arrives while it reads that there is none", async () => {
    let wakeWaiting = () => {};
    let over: AbortSignal | undefined;
    const wake: FeedWake = {
      next: (signal) => {
        over = signal;
        return new Promise((resolve) => {
          wakeWaiting = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      },
      releases: 0,
      release: () => {},
      stopped: false,
      stop: async () => {},
    };
    const events = [{ position: 1, mark: "m1", kind: "consent", key: "c" }] as const;
    const batches: FeedBatch[] = [
      { head: 0, events: [] },
      { head: 1, events },
    ];
    const readAfter = async () => {
      const read = batches.shift();
      wakeWaiting();
      return read;
    };
    const question = { after: { position: 0, mark: undefined }, waitMilliseconds: 5_000 };
    // Nothing else keeps the process alive while a wait lasts.
    const alive = setInterval(() => {}, 1_000);
    const batch = await awaitEvents({ readAfter }, wake, question).finally(() => clearInterval(alive));
    expect([batch?.events.length, over?.aborted]).to.deep.equal([1, false]);
  });
});
