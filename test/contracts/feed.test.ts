import { randomUUID } from "node:crypto";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { appendEvents, takeTurnAtFeed } from "../../packages/auth/src/feed/append-events-postgres.ts";
import { type Feed, MAX_BATCH_EVENTS } from "../../packages/auth/src/feed/feed.ts";
import type { FeedEvent, PositionedEvent } from "../../packages/auth/src/feed/feed-event.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";

const consent = (key: string): FeedEvent => ({ kind: "consent", key });

describe("Event feed", () => {
  let databases: readonly [Database, Database];
  let one: Feed;
  let other: Feed;
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createFeed(databases[0]), createFeed(databases[1])];
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const append = (events: readonly FeedEvent[], database = databases[0]) =>
    database.transaction((queries) => appendEvents(queries, events));
  const at = (position: number) => ({ position, mark: undefined });
  async function readAfter(position: number) {
    const batch = await other.readAfter(at(position));
    return batch?.events.map(({ mark: _, ...event }) => event);
  }

  it("gives a transaction's events in order, after all that were committed before", async () => {
    const before = await one.head();
    await append([consent("a"), { kind: "token", key: "b" }]);
    await append([consent("c")]);
    expect(await readAfter(before)).to.deep.equal([
      { position: before + 1, kind: "consent", key: "a" },
      { position: before + 2, kind: "token", key: "b" },
      { position: before + 3, kind: "consent", key: "c" },
    ]);
    expect(await other.readAfter(at(before + 3))).to.deep.equal({ head: before + 3, events: [] });
  });

  it("shows nothing of a transaction that was rolled back, and no gap for it", async () => {
    const before = await one.head();
    const undone = databases[0].transaction(async (queries) => {
      await appendEvents(queries, [consent("never")]);
      throw new Error("undone");
    });
    await rejectionOf(undone);
    await append([consent("next")]);
    expect(await readAfter(before)).to.deep.equal([{ position: before + 1, ...consent("next") }]);
  });

  it("needs no turn when there is nothing to append", async () => {
    const before = await one.head();
    await databases[0].transaction(async (queries) => {
      await takeTurnAtFeed(queries);
      await append([], databases[1]);
    });
    expect(await one.head()).to.equal(before);
  });

  it("shows all readers one order without gaps while fifty transactions in two processes commit", async () => {
    const start = await one.head();
    let appending = 50;
    const follow = async (feed: Feed): Promise<readonly PositionedEvent[]> => {
      const seen: PositionedEvent[] = [];
      for (let last = false; ; ) {
        const batch = await feed.readAfter(at(start + seen.length));
        if (batch === undefined) throw new Error(`a gap after ${start + seen.length}`);
        seen.push(...batch.events);
        expect(seen.map(({ position }) => position)).to.deep.equal(seen.map((_, index) => start + index + 1));
        if (last && batch.events.length === 0) return seen;
        last = appending === 0;
      }
    };
    const readers = [one, other, one, other].map(follow);
    const transactions = Array.from({ length: 50 }, async (_, index) => {
      // Every fifth is undone, and each has other work before its last statement.
      const work = databases[index % 2]?.transaction(async (queries) => {
        await queries.run({ name: "work", text: "SELECT pg_sleep($1)", values: [Math.random() / 50] });
        await appendEvents(queries, [consent(`${index}-1`), consent(`${index}-2`)]);
        if (index % 5 === 0) throw new Error("undone");
      });
      await work?.catch(() => {});
      appending -= 1;
    });
    await Promise.all(transactions);
    const seen = await Promise.all(readers);
    for (const events of seen) expect(events).to.deep.equal(seen[0]);
    expect(seen[0]).to.have.length(80);
    expect(new Set(seen[0]?.map(({ key }) => key)).size).to.equal(80);
  });

  it("gives many events in bounded batches, and says that there are more", async () => {
    const before = await one.head();
    await append(Array.from({ length: MAX_BATCH_EVENTS + 1 }, (_, index) => consent(String(index))));
    const first = await other.readAfter(at(before));
    expect(first?.events).to.have.length(MAX_BATCH_EVENTS);
    expect(first?.head).to.equal(before + MAX_BATCH_EVENTS + 1);
    expect(await readAfter(before + MAX_BATCH_EVENTS)).to.have.length(1);
  });

  it("rejects a position that lies ahead of it", async () => {
    expect(await one.readAfter(at((await one.head()) + 1))).to.equal(undefined);
  });

  it("forgets events after a day, oldest first, and rejects readers from before that", async () => {
    const key = randomUUID();
    await append([consent("kept")]);
    const head = await one.head();
    const age = async (hours: number) => {
      const text = `UPDATE feed_event SET appended_at = now() - interval '${hours} hours' WHERE pos < $1`;
      await databases[0].run({ name: `age-${hours}`, text, values: [head] });
      while (await cleanExpired(databases[0]));
    };
    await age(23);
    expect((await one.readAfter(at(0)))?.events[0]).to.include({ position: 1 });
    await age(25);
    expect(await one.readAfter(at(0))).to.equal(undefined);
    expect(await one.readAfter(at(head - 3))).to.equal(undefined);
    expect(await readAfter(head - 1)).to.deep.equal([{ position: head, ...consent("kept") }]);
    await append([consent(key)]);
    expect(await readAfter(head)).to.deep.equal([{ position: head + 1, ...consent(key) }]);
  });

  it("forgets events that a clock ahead appended no sooner than a day after it was set right", async () => {
    const before = await one.head();
    await append(Array.from({ length: 1_200 }, (_, index) => consent(`ahead-${index}`)));
    await append([consent("right"), consent("newest")]);
    const right = before + 1_201;
    const run = (text: string, ...values: readonly number[]) =>
      databases[0].run({ name: randomUUID(), text, values });
    await run("UPDATE feed_event SET appended_at = now() - interval '25 hours' WHERE pos <= $1", before);
    const ahead =
      "UPDATE feed_event SET appended_at = now() + interval '30 days' WHERE pos > $1 AND pos < $2";
    await run(ahead, before, right);
    while (await cleanExpired(databases[0]));
    expect(await readAfter(before)).to.have.length(MAX_BATCH_EVENTS);
    await run("UPDATE feed_event SET appended_at = now() - interval '25 hours' WHERE pos = $1", right);
    while (await cleanExpired(databases[0]));
    expect(await one.readAfter(at(right - 2))).to.equal(undefined);
    expect(await readAfter(right)).to.have.length(1);
  });

  it("keeps the newest event however old, for the mark of readers that have taken it", async () => {
    const before = await one.head();
    await append([consent("newest")]);
    const text = "UPDATE feed_event SET appended_at = now() - interval '25 hours'";
    await databases[0].run({ name: "age-all", text, values: [] });
    const mark = (await one.readAfter(at(before)))?.events[0]?.mark;
    while (await cleanExpired(databases[0]));
    expect(await one.readAfter({ position: before + 1, mark })).to.deep.equal({
      head: before + 1,
      events: [],
    });
    await append([consent("next")]);
    while (await cleanExpired(databases[0]));
    expect((await one.readAfter({ position: before + 1, mark }))?.events).to.have.length(1);
    expect(await one.readAfter({ position: before + 1, mark: randomUUID() })).to.equal(undefined);
  });
});
