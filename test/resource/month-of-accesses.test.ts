import { randomUUID } from "node:crypto";
import { Agent } from "node:https";
import { type Database, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { readableLog } from "../support/readable-log.ts";
import { PATIENT } from "../support/test-databases.ts";
import { HISTORY } from "./small-movements.ts";
import { type AwayCall, HOUR, MINUTE, runTwoResources, type TwoResources } from "./two-resources.ts";

const LIMIT = 4;
const DAY = 24 * HOUR;
const DAYS = 30;
/** How often the oldest access leaves a full window, and fifty calls come for the place. */
const MOVES = 2;
/** From the end of one access to the next visit, over and over; one that is refused comes again when it may. */
const PAUSES = [95, 170, 213, 61, 2, 128].map((minutes) => minutes * MINUTE);

describe("a month of accesses without the PSU (RTS Article 36(5)(b))", function month() {
  // Hundreds of calls, of which a busy machine makes a few in a second: that they never end is what it is for.
  this.timeout(900_000);
  const consent = `consent-${randomUUID()}`;
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  let resources: TwoResources;
  let database: Database;
  before(async () => {
    resources = await runTwoResources();
    const { log } = readableLog();
    const url = new Secret(resources.clock.url);
    const options = { maxConnections: 1, applicationName: "look", log, timeLimits: PATIENT };
    database = openDatabase({ url, ...options });
  });
  after(async () => {
    for (const agent of agents) agent.destroy();
    await database.close();
    await resources.stop();
  });

  /** What could not be answered is no access, and is asked for again: on a busy machine auth's word may come too late. */
  async function askAgain(call: AwayCall, place: number): Promise<RawAnswer> {
    for (let left = 20; ; left -= 1) {
      const answer = await resources.ask(call, place);
      if (answer.status !== 503 || left === 0) return answer;
    }
  }

  const page = async (number: number, place: number) => {
    const of = `${HISTORY}/transactions?size=1&page=${number}`;
    const { status, body } = await askAgain({ consent, of, agent: agents[place === 0 ? 0 : 1] }, place);
    if (status === 429) return { status, continuesAt: JSON.parse(body).errors[0].parameters.CONTINUES_AT };
    return { status };
  };

  /** When accesses began that count or have counted lately, and what time it is, by the database. */
  async function begun(): Promise<{ readonly now: number; readonly begins: readonly number[] }> {
    const text = "SELECT now() AS now, began_at FROM unattended_access";
    const [row] = await database.run<{ now: Date; began_at: Date[] }>({ name: "look", text, values: [] });
    return { now: Number(row?.now ?? 0), begins: (row?.began_at ?? []).map(Number) };
  }

  const inLastDay = (begins: Iterable<number>, now: number) =>
    [...begins].filter((began) => began > now - DAY && began <= now).length;

  it("serves exactly four in any 24 hours, each with all of its pages", async () => {
    const began = new Set<number>();
    const end = Date.now() + DAYS * DAY;
    for (let visit = 0; resources.processes[0].clock.now().getTime() < end; visit += 1) {
      const place = visit % 2;
      const { status, continuesAt } = await page(0, place);
      const { now, begins } = await begun();
      for (const each of begins) began.add(each);
      expect(begins, `kept in visit ${visit}`).to.have.length.within(1, LIMIT);
      if (status === 429) {
        expect(inLastDay(began, now), `refused in visit ${visit}`).to.equal(LIMIT);
        expect(Date.parse(continuesAt)).to.equal(([...began].at(-LIMIT) ?? 0) + DAY);
        // The clocks of the processes stood still while the database's went on.
        await resources.advance(Date.parse(continuesAt) - now + 1_000);
      } else {
        expect(status).to.equal(200);
        expect(inLastDay(began, now), `served in visit ${visit}`).to.be.within(1, LIMIT);
        expect((await page(1, 1 - place)).status).to.equal(200);
        await resources.advance(14 * MINUTE);
        expect([(await page(2, place)).status, (await page(1, 1 - place)).status]).to.deep.equal([200, 200]);
        await resources.advance(PAUSES[visit % PAUSES.length] ?? HOUR);
      }
    }
    // Four of each day, and those of the day that has begun.
    expect(began.size).to.be.within((DAYS - 1) * LIMIT, (DAYS + 1) * LIMIT);
    for (const each of began) expect(inLastDay(began, each)).to.be.at.most(LIMIT);
  });

  it("begins exactly one more for 50 simultaneous calls when the window moves on, and serves them all", async () => {
    await resources.advance(2 * DAY);
    for (let round = 0; round < LIMIT + MOVES; round += 1) {
      const before = await begun();
      const isFull = inLastDay(before.begins, before.now) === LIMIT;
      if (isFull) {
        const { continuesAt } = await page(0, 0);
        // Within the last minutes of the window, which go on while they are asked, all are refused, however many they are.
        await resources.advance(Date.parse(continuesAt) - before.now - 2 * MINUTE);
        expect(await fiftyAtOnce()).to.deep.equal(new Set([429]));
        await resources.advance(2 * MINUTE);
      }
      // Between the first access of a window and its last, what two calls decide is what one does.
      const statuses = round > 0 && round < LIMIT - 1 ? await once() : await fiftyAtOnce();
      expect(statuses).to.deep.equal(new Set([200]));
      const after = await begun();
      expect(after.begins.filter((each) => each > before.now)).to.have.length(1);
      expect(inLastDay(after.begins, after.now)).to.be.at.most(LIMIT);
      // Less in the second day, so that no round begins just when the next access leaves the window.
      await resources.advance((round < LIMIT ? 20 : 17) * MINUTE);
    }
    expect(inLastDay((await begun()).begins, (await begun()).now)).to.equal(LIMIT);
  });

  const once = async () => new Set([(await page(0, 0)).status]);

  async function fiftyAtOnce(): Promise<ReadonlySet<number>> {
    const calls = Array.from({ length: 50 }, (_, place) => page(place % 3, place % 2));
    return new Set((await Promise.all(calls)).map(({ status }) => status));
  }
});
