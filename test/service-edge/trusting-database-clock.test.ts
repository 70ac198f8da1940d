import { type Database, openDatabase, type Round, Secret, trustingDatabaseClock } from "@cobs/service-edge";
import { expect } from "chai";
import { movableClock } from "../support/movable-clock.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { PATIENT } from "../support/test-databases.ts";

const MINUTE = 60_000;
const PAUSE = 5_000;

describe("Job that relies on the database's clock", () => {
  let moved: DatabaseWithMovableClock;
  let database: Database;
  before(async () => {
    moved = await createDatabaseWithMovableClock();
    const { log } = readableLog();
    const url = new Secret(moved.url);
    database = openDatabase({ url, maxConnections: 1, applicationName: "test", log, timeLimits: PATIENT });
  });
  after(() => database.close());

  /** One round of it, at a process with a clock of its own. */
  async function round(): Promise<number> {
    const rounds: Round[] = [];
    const again = trustingDatabaseClock({ database, clock: movableClock() }, (each) => {
      rounds.push(each);
      return { stop: async () => {} };
    });
    again(
      async () => PAUSE,
      () => 0,
    );
    const [first] = rounds;
    if (first === undefined) throw new Error("it has not begun");
    return first(new AbortController().signal);
  }

  it("runs when that clock is behind ours, or less than an hour ahead", async () => {
    await moved.advanceDays(-400);
    expect(await round()).to.equal(PAUSE);
    await moved.advanceDays(400);
    await moved.advance(59 * MINUTE);
    expect(await round()).to.equal(PAUSE);
  });

  it("does not run when that clock is further ahead, and reports how far", async () => {
    await moved.advance(2 * MINUTE);
    expect(String(await rejectionOf(round()))).to.match(
      /the clock of the database is 366\d s ahead of this machine's/,
    );
  });
});
