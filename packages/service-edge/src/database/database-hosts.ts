/**
 * The servers of one database as a process knows them: which one it connects to, and which ones it no longer believes. It
 * follows a failover and makes none: that a former primary cannot be written to is seen to by whoever promotes another.
 */
import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import { parseDatabasePlace } from "./database-place.ts";

/** A server that is no primary, or is one of the past; in the words of PostgreSQL, so that callers try again later. */
class NotPrimary extends Error {
  override readonly name = "NotPrimary";
  readonly code = "25006";
}

/** Makes connections to the primary. */
export interface DatabaseHosts {
  /** A client that connects to the server whose turn it is; one that fails, or is no primary, gives the turn to the next. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
  /** Asks every server once, and begins with the one that became primary last. Rejects when there is none. */
  findPrimary(config: pg.ClientConfig): Promise<void>;
}

/**
 * Without it, who waits for a notification or a long statement would wait for hours for a server that has gone without a word, and
 * a firewall would forget a connection over which nothing comes.
 */
const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

// A promoted server writes the next timeline: of two that both take writes, the former primary is the one on the lower.
const STANDING = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", CASE WHEN pg_is_in_recovery()
  THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline`;

interface Standing {
  readonly isReadOnly: boolean;
  /** Eight hexadecimal digits, which compare as text; empty on a standby. */
  readonly timeline: string;
}

/** Begins with the first server of the URL; throws as `parseDatabasePlace`. */
export function createDatabaseHosts(url: Secret): DatabaseHosts {
  const { hosts, asksForPrimary } = parseDatabasePlace(url.reveal());
  const open = new Map<pg.Client, string>();
  let turn = 0;
  let proofs = 0;
  let latest = "";

  const urlOf = (index: number) => (hosts[index] ?? hosts[0]).reveal();

  /** Unless another connection has given the turn away already. */
  function moveOn(from: number): void {
    if (turn === from) turn = (from + 1) % hosts.length;
  }

  async function requirePrimary(client: pg.Client): Promise<void> {
    const { isReadOnly, timeline } = await askStanding(client);
    if (isReadOnly) throw new NotPrimary("the server takes no writes");
    if (timeline < latest) throw new NotPrimary("the server was the primary before another one");
    if (timeline > latest) leave(timeline);
    open.set(client, timeline);
    client.once("end", () => open.delete(client));
    proofs += 1;
  }

  /** A failover: what is read on a connection from before it may be out of date by now. */
  function leave(timeline: string): void {
    latest = timeline;
    for (const client of open.keys()) {
      open.delete(client);
      client.emit("error", new NotPrimary("another server is the primary now"));
      void client.end().catch(() => undefined);
    }
  }

  class Client extends pg.Client {
    readonly #index: number;
    readonly #begunAfter = proofs;

    constructor(config: pg.ClientConfig = {}) {
      const index = turn;
      super({ ...config, ...KEPT_ALIVE, connectionString: urlOf(index) });
      this.#index = index;
      // Without a listener a connection that breaks before anybody has it would end the process.
      this.on("error", () => undefined);
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
      const connecting = this.#connect();
      if (callback === undefined) return connecting;
      connecting.then(() => callback(null), callback);
      return undefined;
    }

    async #connect(): Promise<this> {
      try {
        await super.connect();
        if (asksForPrimary) await requirePrimary(this);
        turn = this.#index;
        return this;
      } catch (error) {
        // What began before the last primary was found says nothing of it: the next connection would meet a standby for nothing.
        if (this.#begunAfter === proofs) moveOn(this.#index);
        if (error instanceof NotPrimary) void this.end().catch(() => undefined);
        throw error;
      }
    }
  }

  return {
    Client,
    findPrimary: async (config) => {
      if (!asksForPrimary) return;
      const asked = await Promise.allSettled(
        hosts.map((host) => askHost({ ...config, connectionString: host.reveal() })),
      );
      const standings = asked.map((each) => (each.status === "fulfilled" ? each.value : undefined));
      const best = standings.reduce((sofar, each, index) => {
        const isBetter =
          each !== undefined && !each.isReadOnly && each.timeline > (standings[sofar]?.timeline ?? "");
        return isBetter ? index : sofar;
      }, -1);
      const refused = asked.find((each) => each.status === "rejected");
      if (best < 0) throw refused?.reason ?? new NotPrimary("no server takes writes");
      turn = best;
    },
  };
}

async function askStanding(client: pg.Client): Promise<Standing> {
  const { rows } = await client.query<Standing>(STANDING);
  const [standing] = rows;
  if (standing === undefined) throw new TypeError("a statement without a condition gives a row");
  return standing;
}

async function askHost(config: pg.ClientConfig): Promise<Standing> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await askStanding(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}
