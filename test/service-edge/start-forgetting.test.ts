import type { Round } from "@cobs/service-edge";
import { expect } from "chai";
import { startForgetting } from "../../packages/service-edge/src/jobs/start-forgetting.ts";
import { readableLog } from "../support/readable-log.ts";

describe("Deletion of what is no longer needed", () => {
  it("goes on at once after a full batch, and looks again a minute after any other", async () => {
    const { signal } = new AbortController();
    const found = [1_000, 999, 0];
    const rounds: Round[] = [];
    startForgetting(async (batch) => Math.min(batch, found.shift() ?? 0), {
      log: readableLog().log,
      failure: "nothing could be forgotten",
      again: (round) => {
        rounds.push(round);
        return { stop: async () => {} };
      },
    });
    const pauses = await Promise.all([0, 1, 2].map(() => rounds[0]?.(signal)));
    expect(pauses).to.deep.equal([50, 60_000, 60_000]);
  });
});
