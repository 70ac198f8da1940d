import { openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { listenForEvents } from "../../packages/auth/src/feed/feed-wake.ts";
import { openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { readableLog } from "../support/readable-log.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { createTestDatabase } from "../support/test-databases.ts";

const LIMIT_MILLISECONDS = 10_000;
const HEARING =
  "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle' AND datname = current_database()";

/** One that hears, through a tunnel. */
async function openHearing() {
  const url = new URL(await createTestDatabase());
  const tunnel = await openTunnel(Number(url.port));
  url.port = String(tunnel.port);
  const { log, lines } = readableLog();
  const database = openDatabase({
    url: new Secret(url.href),
    maxConnections: 1,
    applicationName: "test",
    log,
  });
  let tries = 0;
  const newClient: typeof database.newClient = (options) => {
    tries += 1;
    return database.newClient(options);
  };
  const wake = listenForEvents({ database: { newClient }, log });
  /** The connections on which it hears, as the database sees them. */
  const heardOn = async () => {
    const rows = await database.run<{ pid: number }>({ name: "", text: HEARING, values: [] }).catch(() => []);
    return rows.map(({ pid }) => pid);
  };
  /** Waits until it hears, on another connection than this one, and gives the connection. */
  async function untilHeard(former?: number): Promise<number> {
    let pid: number | undefined;
    await eventually(async () => {
      [pid] = await heardOn();
      return pid !== undefined && pid !== former;
    });
    // The database says so a moment before it tells its client.
    await heardOn();
    return pid ?? 0;
  }
  const close = async () => {
    await wake.stop();
    await database.close();
    await tunnel.cut().catch(() => {});
  };
  return { tunnel, wake, lines, tries: () => tries, untilHeard, close };
}

describe("The connection that listens for events", () => {
  let opened: Awaited<ReturnType<typeof openHearing>>;
  beforeEach(async () => {
    opened = await openHearing();
  });
  afterEach(() => opened.close());

  it("wakes readers that have waited since before it broke, once it is replaced", async () => {
    const { tunnel, wake, untilHeard } = opened;
    const former = await untilHeard();
    const over = AbortSignal.timeout(LIMIT_MILLISECONDS);
    const woken = wake.next(over);
    tunnel.drop();
    await untilHeard(former);
    await woken;
    expect(over.aborted).to.equal(false);
  });

  it("logs its loss once, however often it retries, and again after it was restored in between", async () => {
    const { tunnel, wake, tries, untilHeard } = opened;
    const told = () => opened.lines.filter(({ msg }) => String(msg).startsWith("no notifications of events"));
    await untilHeard();
    await tunnel.cut();
    await eventually(() => tries() >= 4);
    expect(told()).to.have.length(1);
    const over = AbortSignal.timeout(LIMIT_MILLISECONDS);
    await wake.next(over);
    expect(over.aborted, "readers look meanwhile").to.equal(false);
    await tunnel.mend();
    await untilHeard();
    await tunnel.cut();
    await eventually(() => told().length === 2);
  });

  it("does not delay the end of the process when the database has stopped answering", async () => {
    const { tunnel, wake, untilHeard } = opened;
    await untilHeard();
    const { signal } = new AbortController();
    const woken = wake.next(signal);
    tunnel.stall();
    const waited = startWaiting();
    await Promise.race([wake.stop(), new Promise((resolve) => setTimeout(resolve, 3_000).unref())]);
    expect(waited()).to.be.below(2_500);
    await woken;
    expect(opened.lines, "its end is no loss").to.deep.equal([]);
    // Before the database, which would wait for an answer of its own.
    await tunnel.cut();
  });
});
