import { createHash } from "node:crypto";
import { expect } from "chai";
import { appendEvents } from "../../packages/auth/src/feed/append-events-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { introspect } from "./use-tokens.ts";

/** A wake takes a few milliseconds; without one a waiting reader looks after 250. This machine may be busy. */
const SOON_MILLISECONDS = 900;

interface Batch {
  readonly head: number;
  readonly events: readonly {
    readonly position: number;
    readonly mark: string;
    readonly kind: string;
    readonly key: string;
  }[];
}

const withoutMarks = ({ head, events }: Batch) => ({
  head,
  events: events.map(({ mark: _, ...event }) => event),
});

describe("The event feed of the authorization server", function eventFeed() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let second: RunningAuth;
  before(async () => {
    auth = await runAuth();
    second = await runAuth({}, auth);
  });
  after(async () => {
    await second.stop();
    await auth.stop();
  });

  const events = (query: string, at = auth, caller?: "auth" | "resource" | "operator") =>
    at.callAsBank({ path: `/events?${query}` }, caller);
  async function read(query: string, at = auth): Promise<Batch> {
    const answer = await events(query, at);
    expect(answer.status, answer.body).to.equal(200);
    return JSON.parse(answer.body);
  }
  const head = async () => Number(JSON.parse((await auth.callAsBank({ path: "/stop-list" })).body).position);
  const append = (key: string) =>
    auth.database.transaction((queries) => appendEvents(queries, [{ kind: "consent", key }]));

  it("answers at once with the events after the cursor, and with the head", async () => {
    const after = await head();
    await append("a");
    await append("b");
    expect(withoutMarks(await read(`after=${after}&wait=1000`))).to.deep.equal({
      head: after + 2,
      events: [
        { position: after + 1, kind: "consent", key: "a" },
        { position: after + 2, kind: "consent", key: "b" },
      ],
    });
  });

  it("answers a waiting reader without events when its wait is over (the heartbeat)", async () => {
    const after = await head();
    const started = performance.now();
    const waited = startWaiting();
    expect(await read(`after=${after}&wait=600`)).to.deep.equal({ head: after, events: [] });
    expect(performance.now() - started).to.be.above(590);
    expect(waited()).to.be.below(2_000);
    expect(await read(`after=${after}`)).to.deep.equal({ head: after, events: [] });
  });

  it("wakes all waiting readers of all processes with one event", async () => {
    // A reader that is not woken is answered after a second, at every attempt; a busy machine is slow at some of them.
    const attempts: number[] = [];
    for (let attempt = 0; attempt < 5 && !attempts.some((took) => took < SOON_MILLISECONDS); attempt += 1)
      attempts.push(await millisecondsToWake());
    expect(Math.min(...attempts)).to.be.below(SOON_MILLISECONDS);
  });

  /** How long the last of twenty readers of two processes takes from the event that they wait for. */
  async function millisecondsToWake(): Promise<number> {
    const after = await head();
    const started = performance.now();
    const waited = startWaiting();
    const took: number[] = [];
    const readers = Array.from({ length: 20 }, async (_, index) => {
      const batch = await read(`after=${after}&wait=1000`, index % 2 ? auth : second);
      took.push(waited());
      return batch;
    });
    await eventually(async () => (await waitingReaders()) === 0 && performance.now() - started > 100);
    await append("woken");
    const appended = waited();
    const batches = await Promise.all(readers);
    // On a busy machine the second of a reader may be over before there is an event to wake it with.
    if (batches.some(({ events }) => events.length === 0)) return Number.POSITIVE_INFINITY;
    for (const batch of batches) expect(batch.events.map(({ key }) => key)).to.deep.equal(["woken"]);
    return Math.max(...took) - appended;
  }

  /** Statements that run at this moment: none while every reader waits. */
  async function waitingReaders(): Promise<number> {
    const text =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%feed_event%' AND pid <> pg_backend_pid() AND datname = current_database()";
    const [row] = await auth.database.run<{ n: number }>({ name: "active", text, values: [] });
    return row?.n ?? 0;
  }

  it("continues without a gap from a cursor of before a restart", async () => {
    const after = await head();
    const other = await runAuth({}, auth);
    await append("before");
    expect((await read(`after=${after}`, other)).events).to.have.length(1);
    await other.stop();
    await append("meanwhile");
    const restarted = await runAuth({}, auth);
    try {
      const { events: told } = withoutMarks(await read(`after=${after + 1}`, restarted));
      expect(told).to.deep.equal([{ position: after + 2, kind: "consent", key: "meanwhile" }]);
    } finally {
      await restarted.stop();
    }
  });

  it("answers 410 to a position that it does not have", async () => {
    const answer = await events(`after=${(await head()) + 1}&wait=1000`);
    expect(answer.status).to.equal(410);
    expect(JSON.parse(answer.body).error).to.equal("position_gone");
  });

  it("answers 410 to the mark of an event that it does not have, even at an existing position", async () => {
    const after = await head();
    await append("taken");
    const mark = (await read(`after=${after}`)).events[0]?.mark ?? "";
    expect((await read(`after=${after + 1}&mark=${mark}`)).events).to.deep.equal([]);
    expect(JSON.parse((await auth.callAsBank({ path: "/stop-list" })).body).mark).to.equal(mark);
    // The database comes back without the last change, and commits others before the reader asks again.
    const text = "WITH gone AS (DELETE FROM feed_event WHERE pos = $1) UPDATE feed_head SET pos = pos - 1";
    await auth.database.run({ name: "lose", text, values: [after + 1] });
    await append("unseen");
    await append("next");
    expect((await events(`after=${after + 1}&mark=${mark}`)).status).to.equal(410);
  });

  it("requires one position, and a wait of at most a second", async () => {
    const wrong = [
      "",
      "after=",
      "after=-1",
      "after=1e3",
      "after=01",
      "after=1&after=2",
      "after=0&wait=1001",
      "after=0&wait=x",
      "after=0&mark=",
      "after=0&mark=x",
    ];
    for (const query of wrong) {
      const answer = await events(query);
      expect(answer.status, query).to.equal(400);
      expect(JSON.parse(answer.body).error).to.equal("invalid_request");
    }
  });

  it("is only for callers with the right `feed`, not for operators or TPPs (INT-01)", async () => {
    expect((await events("after=0", auth, "operator")).status).to.be.oneOf([401, 403]);
    expect((await auth.call({ path: "/events?after=0" })).status).to.equal(404);
    const outcome = await auth
      .callBankAsTpp({ path: "/events?after=0" }, "aisp")
      .catch((error: Error) => error);
    expect(outcome).to.be.instanceOf(Error);
  });

  it("keeps working when the connection on which it listens breaks", async () => {
    const text =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'auth event feed' AND datname = current_database()";
    expect((await auth.database.run({ name: "end", text, values: [] })).length).to.be.at.least(2);
    const after = await head();
    const begun = performance.now();
    const waiting = read(`after=${after}&wait=1000`);
    await append("unheard");
    const isInTime = performance.now() - begun < SOON_MILLISECONDS;
    const keys = (await waiting).events.map(({ key }) => key);
    // On a busy machine the second of the reader may be over before there is an event.
    if (isInTime || keys.length > 0) expect(keys).to.deep.equal(["unheard"]);
    const listening =
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'auth event feed' AND datname = current_database()";
    await eventually(
      async () => (await auth.database.run({ name: "l", text: listening, values: [] })).length >= 2,
    );
  });

  it("sends with each introspection the position from before the token was looked up", async () => {
    const before = await head();
    const answer = await introspect(auth, "unknown");
    expect(answer.status, answer.body).to.equal(200);
    expect(answer.headers["feed-position"]).to.equal(String(before));
    await append(createHash("sha256").update("x").digest("base64url"));
    expect((await introspect(auth, "unknown")).headers["feed-position"]).to.equal(String(before + 1));
  });

  it("reads its position before a token or a consent to a card issuer, so that no ending is missed", async () => {
    const seen = await runAuth({}, auth, { tunnelled: true });
    const lookUp = "/card-consents?organisationIdentifier=PSDCZ-CNB-1&iban=CZ6508000000192000145399";
    try {
      await introspect(seen, "unknown");
      await seen.callAsBank({ path: lookUp });
      const positionOrFound = /^(feed-head|token-find|card-consent-find-active)$/;
      expect(seen.statements.filter((name) => positionOrFound.test(name))).to.deep.equal([
        "feed-head",
        "token-find",
        "feed-head",
        "card-consent-find-active",
      ]);
    } finally {
      await seen.stop();
    }
  });

  it("lets its process stop while readers wait", async () => {
    const other = await runAuth({}, auth);
    const waiting = read(`after=${await head()}&wait=1000`, other);
    const waited = startWaiting();
    await Promise.all([waiting.catch(() => undefined), other.stop()]);
    expect(waited()).to.be.below(3_000);
    const early = await runAuth({}, auth);
    await early.stop();
  });
});
