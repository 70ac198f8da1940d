import { setTimeout as delay } from "node:timers/promises";
import type { Database, Log } from "@cobs/service-edge";
import { FEED_CONNECTION_NAME } from "../connection-names.ts";
import { FEED_CHANNEL } from "./append-events-postgres.ts";

/** How notifications of events are heard. */
export interface HearingParts {
  readonly database: Pick<Database, "newClient">;
  /** Logs once when notifications stop, until they are heard again. */
  readonly log: Log;
  /** Called at each event of any process, and when hearing begins, because earlier ones were not heard. */
  readonly onHeard: () => void;
  /** Ends the hearing and its connection. */
  readonly stopping: AbortSignal;
}

/** Notifications that are heard, or tried to be. */
export interface Hearing {
  /** Whether an event would be heard now. */
  hears(): boolean;
  /** Resolves once it was stopped and its connection has ended. */
  readonly ended: Promise<void>;
}

/** A connection outside the pool. */
type Connection = ReturnType<Database["newClient"]>;

const RECONNECT_MILLISECONDS = 500;
const CONNECT_TIMEOUT_MILLISECONDS = 1_500;
const CLOSE_LIMIT_MILLISECONDS = 500;

/** Hears on its own connection, outside the pool, and opens another when it breaks. */
export function hearEvents({ database, log, onHeard, stopping }: HearingParts): Hearing {
  let hears = false;
  let saysThatDeaf = false;

  async function beginHearing(connecting: Connection): Promise<void> {
    await connecting.connect();
    await connecting.query(`LISTEN ${FEED_CHANNEL}`);
    hears = true;
    saysThatDeaf = false;
    onHeard();
  }

  async function hearOnce(): Promise<void> {
    const client = database.newClient({
      connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
      application_name: FEED_CONNECTION_NAME,
    });
    const ended = endOf(client, stopping);
    client.on("notification", onHeard);
    try {
      // A client closed while it connects never settles `connect`.
      await Promise.race([beginHearing(client), ended]);
      await ended;
    } finally {
      hears = false;
      await close(client);
    }
  }

  async function keepHearing(): Promise<void> {
    while (!stopping.aborted) {
      const reason = await hearOnce().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (stopping.aborted) return;
      if (!saysThatDeaf)
        log.info({ error: reason }, "no notifications of events from other processes; polling instead");
      saysThatDeaf = true;
      await delay(RECONNECT_MILLISECONDS, undefined, { signal: stopping }).catch(() => {});
    }
  }

  return { hears: () => hears, ended: keepHearing() };
}

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
