import { getEventListeners } from "node:events";
import { expect } from "chai";
import { createFeedWaits } from "../../packages/auth/src/feed/feed-waits.ts";

describe("Waits for events", () => {
  it("end all at once when they are woken, and leave nothing at a signal that stays", async () => {
    const { wait, wakeAll } = createFeedWaits();
    const { signal } = new AbortController();
    const woken = [wait(signal, undefined), wait(signal, 60_000)];
    wakeAll();
    await Promise.all(woken);
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });

  it("end when they are over, and at once when they already were", async () => {
    const { wait } = createFeedWaits();
    const ending = new AbortController();
    const ended = wait(ending.signal, undefined);
    ending.abort();
    await ended;
    await wait(ending.signal, undefined);
  });

  it("end after the time they may take", async () => {
    await createFeedWaits().wait(new AbortController().signal, 1);
  });
});
