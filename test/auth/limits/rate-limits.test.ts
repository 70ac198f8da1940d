import { createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { type Counted, limitsPerMinute } from "../../../packages/auth/src/limits/limit.ts";
import { createRateLimitMetrics } from "../../../packages/auth/src/limits/rate-limit-metrics.ts";
import type { Bucket, FullBucket } from "../../../packages/auth/src/limits/rate-limit-store.ts";
import { RateLimited } from "../../../packages/auth/src/limits/rate-limited.ts";
import { createRateLimits } from "../../../packages/auth/src/limits/rate-limits.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";
import { rejectionOf } from "../../support/rejection.ts";

const SETTINGS = {
  applicationChanges: 1,
  pushedRequests: 2,
  tokenRequests: 3,
  authorizations: 4,
  addressRequests: 5,
  introspections: 6,
  browserAddresses: { kind: "unknown" },
} as const;
const TOKEN: Counted = { limit: "token_application", of: "application" };
const TPP: Counted = { limit: "token_tpp", of: "tpp" };

/** Limits over a store that says what the test wants, and remembers what it was asked. */
function limitsOver(pour: (buckets: readonly Bucket[]) => Promise<readonly FullBucket[]>) {
  const asked: (readonly Bucket[])[] = [];
  const clock = movableClock();
  const limits = createRateLimits({
    store: {
      pour: (buckets) => {
        asked.push(buckets);
        return pour(buckets);
      },
      overfill: async () => Promise.reject(new Error("down")),
    },
    settings: SETTINGS,
    metrics: createRateLimitMetrics(createMetrics("test")),
    clock,
    log: readableLog().log,
  });
  return { limits, asked, clock };
}

const fullFor = (waitMilliseconds: number) => async (buckets: readonly Bucket[]) =>
  buckets.map(({ name }) => ({ name, waitMilliseconds }));

describe("The rate limits of a process", () => {
  it("ask the store once for everything that a call counts for", async () => {
    const { limits, asked } = limitsOver(async () => []);
    await limits.count([TPP, TOKEN]);
    expect(asked).to.deep.equal([
      [
        { name: "token_tpp tpp", perMinute: 15 },
        { name: "token_application application", perMinute: 3 },
      ],
    ]);
  });

  it("are those of the settings, five times as high for a TPP, and as high for revocations as for tokens", () => {
    expect(limitsPerMinute(SETTINGS)).to.deep.equal({
      application_changes_tpp: 1,
      application_lists_tpp: 60,
      par_tpp: 10,
      par_application: 2,
      token_tpp: 15,
      token_application: 3,
      revoke_tpp: 15,
      revoke_application: 3,
      authorize_address: 5,
      authorize_application: 4,
      authorize_pushed: 60,
      sign_in_address: 5,
      page_address: 50,
      introspect_caller: 6,
      card_consent_caller: 6,
    });
  });

  it("do not ask the store again while a full bucket must still be full", async () => {
    const { limits, asked, clock } = limitsOver(fullFor(2_500));
    expect(await rejectionOf(limits.count([TOKEN]))).to.include({
      limit: "token_application",
      retryAfterSeconds: 3,
    });
    clock.advance(2_000);
    expect(await rejectionOf(limits.count([TPP, TOKEN]))).to.include({ retryAfterSeconds: 1 });
    expect(asked).to.have.length(1);
    clock.advance(501);
    await rejectionOf(limits.count([TOKEN]));
    expect(asked).to.have.length(2);
  });

  it("count the wait from when the store was asked, however long the answer took", async () => {
    const { limits, asked, clock } = limitsOver(async (buckets) => {
      clock.advance(1_000);
      return fullFor(2_500)(buckets);
    });
    await rejectionOf(limits.count([TOKEN]));
    clock.advance(1_499);
    await rejectionOf(limits.count([TOKEN]));
    expect(asked).to.have.length(1);
    clock.advance(2);
    await rejectionOf(limits.count([TOKEN]));
    expect(asked).to.have.length(2);
  });

  it("count pages without the store, ten for each authorization, and allow one more once there is room", async () => {
    const { limits, asked, clock } = limitsOver(async () => []);
    const load = async (of: string) => limits.countHere({ limit: "page_address", of });
    for (let page = 0; page < 50; page += 1) await load("192.0.2.1");
    expect(await rejectionOf(load("192.0.2.1"))).to.include({ limit: "page_address", retryAfterSeconds: 2 });
    await load("192.0.2.2");
    clock.advance(1_199);
    expect(await rejectionOf(load("192.0.2.1"))).to.be.instanceOf(RateLimited);
    clock.advance(1);
    await load("192.0.2.1");
    expect(await rejectionOf(load("192.0.2.1"))).to.be.instanceOf(RateLimited);
    expect(asked).to.deep.equal([]);
  });

  it("read nothing for a caller already known to be refused", async () => {
    const { limits } = limitsOver(fullFor(2_500));
    await rejectionOf(limits.count([TOKEN]));
    let wasRead = false;
    const error = await rejectionOf(limits.countWhile([TOKEN], async () => (wasRead = true)));
    expect(error).to.be.instanceOf(RateLimited);
    expect(wasRead).to.equal(false);
  });

  it("return what was read to a caller that is not refused", async () => {
    expect(await limitsOver(async () => []).limits.countWhile([TOKEN], async () => 7)).to.equal(7);
  });

  it("tell the longest of several waits", async () => {
    const { limits } = limitsOver(async (buckets) =>
      buckets.map(({ name }, index) => ({ name, waitMilliseconds: 1_000 + index * 9_000 })),
    );
    expect(await rejectionOf(limits.count([TPP, TOKEN]))).to.include({
      limit: "token_application",
      retryAfterSeconds: 10,
    });
  });

  it("let calls pass when the store is down, but no sign-in (RL-04)", async () => {
    const down = new Error("down");
    const { limits } = limitsOver(() => Promise.reject(down));
    await limits.count([TOKEN]);
    await limits.penalise([TOKEN]);
    expect(await rejectionOf(limits.count([{ limit: "sign_in_address", of: "192.0.2.1" }]))).to.equal(down);
  });
});
