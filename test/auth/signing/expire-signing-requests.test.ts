import { expect } from "chai";
import { startExpiringSigningRequests } from "../../../packages/auth/src/signing/expire-signing-requests.ts";
import { createSigningRequestId } from "../../../packages/auth/src/signing/signing-request-id.ts";
import type { OverdueCursor, SigningStore } from "../../../packages/auth/src/signing/signing-store.ts";
import { readableLog } from "../../support/readable-log.ts";
import { rejectionOf } from "../../support/rejection.ts";

const NOW = new Date("2027-03-01T10:00:00Z");
const CURSOR: OverdueCursor = { expiresAt: NOW, id: createSigningRequestId() };

describe("The job that expires signing requests", () => {
  function rounds(expire: SigningStore["expire"]): () => Promise<number> {
    const each: ((signal: AbortSignal) => Promise<number>)[] = [];
    startExpiringSigningRequests({
      store: { expire },
      clock: { now: () => NOW, monotonicMilliseconds: () => 0 },
      log: readableLog().log,
      again: (round) => ({ stop: async () => void each.push(round) }),
    }).stop();
    return async () => (await each[0]?.(new AbortController().signal)) ?? Number.NaN;
  }

  it("goes on at once after a full batch, and after a second when fewer were left", async () => {
    const left = [CURSOR, { ...CURSOR, id: createSigningRequestId() }, undefined, undefined];
    const asked: unknown[] = [];
    const next = rounds(async ({ act, now }, limit, after) => {
      asked.push([act.actor, now, limit, after]);
      return { failures: [], last: left[asked.length - 1] };
    });
    const pauses: number[] = [];
    for (const _ of left) pauses.push(await next());
    expect(pauses).to.deep.equal([0, 0, 1_000, 1_000]);
    const batch = [{ kind: "server", part: "signing expiry" }, NOW, 100];
    expect(asked).to.deep.equal([undefined, left[0], left[1], undefined].map((after) => [...batch, after]));
  });

  it("goes past requests that fail, reports them, and tries them again after the last", async () => {
    const cursors: (OverdueCursor | undefined)[] = [];
    const next = rounds(async (_by, _limit, after) => {
      cursors.push(after);
      return after === undefined
        ? { failures: [new Error("one"), new Error("another")], last: CURSOR }
        : { failures: [], last: undefined };
    });
    expect(await rejectionOf(next())).to.have.nested.property("errors[1].message", "another");
    await next();
    await rejectionOf(next());
    expect(cursors).to.deep.equal([undefined, CURSOR, undefined]);
  });
});
