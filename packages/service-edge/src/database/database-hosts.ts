/**
 * The servers of one database as a process knows them: which one it connects to, and which ones it no longer trusts. It
 * follows a failover but does not start one; whoever promotes another server must keep the former primary from taking writes.
 */
import pg from "pg";
import type { Secret } from "../configuration/secret.ts";
import { followUrl, parseDatabasePlace } from "./database-place.ts";
import { askHost, askStanding, findPrimaryAmong } from "./server-standing.ts";

/** The server is not the primary, or no longer is. It has an error code of PostgreSQL, so that callers try again later. */
class NotPrimary extends Error {
  override readonly name = "NotPrimary";
  readonly code = "25006";
}

/** Makes connections to the primary. */
export interface DatabaseHosts {
  /** A client that connects to the current server. If it fails or finds no primary, the next server becomes current. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
  /** Asks every server once, and starts with the one that was promoted last. Rejects when none is a primary. */
  findPrimary(config: pg.ClientConfig): Promise<void>;
}

/**
 * Without TCP keep-alive, a connection that waits for a notification or a long statement would take hours to notice a lost
 * server, and a firewall would drop an idle connection.
 */
const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Starts with the first server of the URL; throws as `parseDatabasePlace` does. */
export function createDatabaseHosts(url: Secret): DatabaseHosts {
  const { hosts, asksForPrimary } = parseDatabasePlace(url.reveal());
  /** The open connections to the primary. */
  const connections = new Set<pg.Client>();
  let current = 0;
  /** How many connections have found a primary. */
  let provenPrimaries = 0;
  let latestTimeline = "";

  const hostAt = (index: number) => hosts[index] ?? hosts[0];

  /** Moves on to the next server, unless another connection has already done so. */
  function moveOn(from: number): void {
    if (current === from) current = (from + 1) % hosts.length;
  }

  async function requirePrimary(client: pg.Client): Promise<void> {
    const { isReadOnly, timeline } = await askStanding(client);
    if (isReadOnly) throw new NotPrimary("the server is read-only");
    if (timeline < latestTimeline) throw new NotPrimary("the server is a former primary");
    if (timeline > latestTimeline) leaveFormer(timeline);
    connections.add(client);
    client.once("end", () => connections.delete(client));
    provenPrimaries += 1;
  }

  /** Ends the connections made before a failover: what they read may be out of date. */
  function leaveFormer(timeline: string): void {
    latestTimeline = timeline;
    for (const client of connections) {
      connections.delete(client);
      client.emit("error", new NotPrimary("another server is the primary now"));
      void client.end().catch(() => undefined);
    }
  }

  class Client extends pg.Client {
    readonly #index: number;
    readonly #begunAfter = provenPrimaries;

    constructor(config: pg.ClientConfig = {}) {
      const index = current;
      super({ ...config, ...KEPT_ALIVE, ...followUrl(hostAt(index)) });
      this.#index = index;
      // Without a listener, a connection that breaks before anybody uses it would end the process.
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
        current = this.#index;
        return this;
      } catch (error) {
        // A failure that began before the last primary was found says nothing about that primary; to move on would lead the
        // next connection to a standby.
        if (this.#begunAfter === provenPrimaries) moveOn(this.#index);
        if (error instanceof NotPrimary) void this.end().catch(() => undefined);
        throw error;
      }
    }
  }

  return {
    Client,
    findPrimary: async (config) => {
      if (!asksForPrimary) return;
      const asked = await Promise.allSettled(hosts.map((host) => askHost({ ...config, ...followUrl(host) })));
      const standings = asked.map((each) => (each.status === "fulfilled" ? each.value : undefined));
      const primary = findPrimaryAmong(standings);
      const refused = asked.find((each) => each.status === "rejected");
      if (primary === undefined) throw refused?.reason ?? new NotPrimary("no server accepts writes");
      current = primary;
    },
  };
}
