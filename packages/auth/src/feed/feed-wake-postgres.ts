import { setTimeout as delay } from "node:timers/promises";
import type { Database, Log } from "@cobs/service-edge";
import { FEED_CONNECTION_NAME } from "../connection-names.ts";
import { FEED_CHANNEL } from "./append-events-postgres.ts";

/**
 * Ends waits for events early. It is an optimisation, not a guarantee: every reader looks when woken and when its wait is over.
 */
export interface FeedWake {
  /** Resolves at the next event of any process after this call, when `over` aborts, or occasionally without a reason. */
  next(over: AbortSignal): Promise<void>;
  /** Number of calls of `release`; a reader that is waiting at one answers. */
  readonly releases: number;
  /** Ends the current waits, not later ones. */
  release(): void;
  /** True when nobody may wait any longer. */
  readonly stopped: boolean;
  /** Ends all waits and the connection. May be called again. */
  stop(): Promise<void>;
}

/** A connection outside the pool. */
type Connection = ReturnType<Database["newClient"]>;

/** Interval at which waiting readers look while no notifications are received. */
const DEAF_MILLISECONDS = 250;
const RECONNECT_MILLISECONDS = 500;
const CONNECT_TIMEOUT_MILLISECONDS = 1_500;
const CLOSE_LIMIT_MILLISECONDS = 500;

/** Resolves when a connection has ended for any reason, or `stopping` aborts. */
function endOf(client: Connection, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stopping.removeEventListener("abort", end);
      resolve();
    };
    client.once("end", end);
    client.on("error", end);
    stopping.addEventListener("abort", end);
  });
}

/**
 * Listens on its own connection, outside the pool, and opens another when it breaks. Behind a pooler that does not pass
 * notifications on, events are only a quarter of a second later.
 */
export function listenForEvents(parts: {
  readonly database: Pick<Database, "newClient">;
  readonly log: Log;
}): FeedWake {
  const { database, log } = parts;
  const waiting = new Set<() => void>();
  const stopping = new AbortController();
  let hears = false;
  let saysThatDeaf = false;
  let releases = 0;

  const wakeAll = () => {
    for (const wake of waiting) wake();
    waiting.clear();
  };

  async function listen(): Promise<void> {
    const client = database.newClient({
      connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
      application_name: FEED_CONNECTION_NAME,
    });
    const ended = endOf(client, stopping.signal);
    client.on("notification", wakeAll);
    try {
      // A client closed while it connects never settles `connect`.
      await Promise.race([beginHearing(client), ended]);
      await ended;
    } finally {
      hears = false;
      await close(client);
    }
  }

  async function beginHearing(connecting: Connection): Promise<void> {
    await connecting.connect();
    await connecting.query(`LISTEN ${FEED_CHANNEL}`);
    hears = true;
    saysThatDeaf = false;
    // Earlier events were not heard.
    wakeAll();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const reason = await listen().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (stopping.signal.aborted) return;
      if (!saysThatDeaf)
        log.info({ error: reason }, "no notifications of events from other processes; polling instead");
      saysThatDeaf = true;
      await delay(RECONNECT_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    next: (over) =>
      new Promise((resolve) => {
        if (over.aborted || stopping.signal.aborted) return resolve();
        const wake = () => {
          clearTimeout(timer);
          over.removeEventListener("abort", wake);
          waiting.delete(wake);
          resolve();
        };
        const timer = hears ? undefined : setTimeout(wake, DEAF_MILLISECONDS);
        over.addEventListener("abort", wake, { once: true });
        waiting.add(wake);
      }),
    get releases() {
      return releases;
    },
    release: () => {
      releases += 1;
      wakeAll();
    },
    get stopped() {
      return stopping.signal.aborted;
    },
    stop: () => {
      stopping.abort();
      wakeAll();
      return running;
    },
  };
}

/** Closes a connection with a time limit, so that a silent database does not delay the end of the process. */
async function close(client: Connection): Promise<void> {
  const limit = new AbortController();
  const closed = client.end().catch(() => {});
  await Promise.race([
    closed,
    delay(CLOSE_LIMIT_MILLISECONDS, undefined, { signal: limit.signal }).catch(() => {}),
  ]);
  limit.abort();
}
