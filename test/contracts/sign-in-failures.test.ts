import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { admitAttempt } from "../../packages/auth/src/psu/sandbox/sign-in-failures-postgres.ts";
import { twoProcesses } from "./auth-database.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date("2027-03-01T10:00:00Z");
const AT_ONCE = 5;
/** After so many failures a block is as long as any. */
const MOST_FAILURES = 25;

const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

describe("Username blocked by failed sign-ins", () => {
  let databases: readonly [Database, Database];
  before(async () => {
    databases = await twoProcesses();
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  let buckets = 0;
  const newBucket = () => {
    buckets += 1;
    return buckets;
  };
  /** Until when an attempt is held off, at a process whose clock says so. */
  const tryAt = async (bucket: number, now: Date, process: 0 | 1 = 0) =>
    (await admitAttempt(databases[process], { bucket, now })).blockedUntil;

  async function failAt(bucket: number, now: Date): Promise<void> {
    for (let tried = 0; tried < AT_ONCE; tried += 1) expect(await tryAt(bucket, now)).to.equal(undefined);
  }

  /** The last block begins at `end`, and is the longest that there is. */
  async function failMost(bucket: number, end: Date): Promise<void> {
    for (let left = MOST_FAILURES / AT_ONCE - 1; left >= 0; left -= 1)
      await failAt(bucket, new Date(end.getTime() - left * 2 * HOUR));
  }

  it("is blocked for five minutes at first, and for up to an hour later", async () => {
    const [bucket, often] = [newBucket(), newBucket()];
    await failAt(bucket, NOW);
    expect(await tryAt(bucket, later(5 * MINUTE - 1), 1)).to.deep.equal(later(5 * MINUTE));
    expect(await tryAt(bucket, later(5 * MINUTE), 1)).to.equal(undefined);
    await failMost(often, NOW);
    expect(await tryAt(often, later(HOUR - 1), 1)).to.deep.equal(later(HOUR));
    expect(await tryAt(often, later(HOUR), 1)).to.equal(undefined);
  });

  it("is blocked also at a process whose clock is behind by up to an hour", async () => {
    const bucket = newBucket();
    await failMost(bucket, later(HOUR));
    expect(await tryAt(bucket, NOW, 1)).to.deep.equal(later(2 * HOUR));
  });

  it("is not blocked for as long as the clock that counted its failures was ahead", async () => {
    const bucket = newBucket();
    await failAt(bucket, later(24 * HOUR));
    expect(await tryAt(bucket, later(24 * HOUR), 1)).to.deep.equal(later(24 * HOUR + 5 * MINUTE));
    expect(await tryAt(bucket, NOW, 1)).to.equal(undefined);
  });

  it("is blocked anew by further failures at the process whose clock is right", async () => {
    const bucket = newBucket();
    await failAt(bucket, later(24 * HOUR));
    await failAt(bucket, NOW);
    expect(await tryAt(bucket, NOW, 1)).to.deep.equal(later(10 * MINUTE));
  });
});
