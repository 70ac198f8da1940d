import { setTimeout as delay } from "node:timers/promises";
import type { Database, Log } from "@cobs/service-edge";
import { FEED_CONNECTION_NAME } from "../connection-names.ts";
import { FEED_CHANNEL } from "./append-events-postgres.ts";

/**
 * Ends waits for events early. It is a comfort and no promise: whoever is woken looks, and whoever is not looks too when
 * the wait is over.
 */
export interface FeedWake {
  /** Resolves with the next event of any process from this call on, when `over` aborts, or now and then without a reason. */
  next(over: AbortSignal): Promise<void>;
  /** How often `release` was called: whoever waited then answers. */
  readonly releases: number;
  /** Ends the waits of this moment; later ones wait as ever. */
  release(): void;
  /** True when nobody shall wait any longer. */
  readonly stopped: boolean;
  /** Ends all waits, and the connection. May be called again. */
  stop(): Promise<void>;
}

/** A connection of its own. */
type Connection = ReturnType<Database["newClient"]>;

/** While nothing is heard, waiting readers look so often. */
const DEAF_MILLISECONDS = 250;
const RECONNECT_MILLISECONDS = 500;
const CONNECT_TIMEOUT_MILLISECONDS = 1_500;
const CLOSE_LIMIT_MILLISECONDS = 500;

/** Resolves when a connection has ended, for whatever reason, or nobody wants it any more. */
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
 * Listens on a connection of its own, outside the pool, and opens another one when it breaks. A pooler that does not
 * pass notifications on costs a quarter of a second, and nothing else.
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
      // A client that is closed while it connects never says so by `connect`.
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
    // What came before this moment was not heard.
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

/** A database that does not answer must not hold the end of the process up. */
async function close(client: Connection): Promise<void> {
  const limit = new AbortController();
  const closed = client.end().catch(() => {});
  await Promise.race([
    closed,
    delay(CLOSE_LIMIT_MILLISECONDS, undefined, { signal: limit.signal }).catch(() => {}),
  ]);
  limit.abort();
}
