import { existsSync, readFileSync } from "node:fs";
import { type Database, isDatabaseUnavailable, openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import type pg from "pg";
import { parse } from "pg-connection-string";
import { createDatabaseHosts } from "../../packages/service-edge/src/database/database-hosts.ts";
import { parseDatabasePlace } from "../../packages/service-edge/src/database/database-place.ts";
import { findPrimaryAmong } from "../../packages/service-edge/src/database/server-standing.ts";
import { eventually } from "../support/eventually.ts";
import { type PostgresPair, startPostgresPair } from "../support/postgres-pair.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { createTestDatabase } from "../support/test-databases.ts";

const FAILOVER_LIMIT_MILLISECONDS = 20_000;

describe("The primary among servers", () => {
  it("is, of those that take writes, the one that was promoted last, and none where none does", () => {
    const standby = { isReadOnly: true, timeline: "" };
    const [former, promoted] = ["00000001", "00000002"].map((timeline) => ({ isReadOnly: false, timeline }));
    expect(findPrimaryAmong([undefined, former, standby, promoted])).to.equal(3);
    expect(findPrimaryAmong([promoted, former])).to.equal(0);
    expect(findPrimaryAmong([standby, undefined, { isReadOnly: true, timeline: "00000003" }])).to.equal(
      undefined,
    );
  });
});

describe("URL of a database without TLS", () => {
  afterEach(() => {
    delete process.env.PGSSLNEGOTIATION;
  });

  it("counts although the environment asks for TLS", async () => {
    const url = new Secret(`${await createTestDatabase()}?sslmode=disable`);
    process.env.PGSSLNEGOTIATION = "direct";
    const { log } = readableLog();
    const database = openDatabase({ url, maxConnections: 1, applicationName: "plain", log });
    expect(await database.run({ name: "plain", text: "SELECT 1 AS one", values: [] })).to.deep.equal([
      { one: 1 },
    ]);
    await database.close();
  });
});

describe("URL of a database", () => {
  const hostsOf = (url: string) => parseDatabasePlace(url).hosts.map((host) => host.reveal());

  it("with one host reaches node-postgres unchanged", () => {
    const url = "postgres://u:p%40@h:1/d?sslmode=verify-full";
    expect(hostsOf(url)).to.deep.equal([url]);
    expect(parseDatabasePlace(url).asksForPrimary).to.equal(false);
  });

  it("with several hosts becomes one URL for each, without what only libpq understands", () => {
    const url = "postgresql://u:p@one:1,[::1]:2,three/d?target_session_attrs=read-write&sslmode=require";
    expect(hostsOf(url)).to.deep.equal([
      "postgresql://u:p@one:1/d?sslmode=require",
      "postgresql://u:p@[::1]:2/d?sslmode=require",
      "postgresql://u:p@three/d?sslmode=require",
    ]);
    expect(parseDatabasePlace(url).asksForPrimary).to.equal(true);
  });

  it("has its hosts after the last @, with several hosts as with one", () => {
    expect(hostsOf("postgresql://u:p@q@one,two:2/d")).to.deep.equal([
      "postgresql://u:p@q@one/d",
      "postgresql://u:p@q@two:2/d",
    ]);
  });

  it("may have an encoded @ in the name, which node-postgres would not decode", () => {
    const [host] = parseDatabasePlace("postgresql://u:p%40@one/d%40x").hosts;
    expect(parse(host.reveal())).to.include({ password: "p@", host: "one", database: "d@x" });
  });

  it("may end with a line break", () => {
    const url = "postgresql://u:p@one,two/d?target_session_attrs=primary";
    expect(parseDatabasePlace(`${url}\n`)).to.deep.equal(parseDatabasePlace(url));
  });

  for (const [what, url] of [
    ["a line break in its password", "postgres://u:p\nq@one/d"],
    ["a line break in its host", "postgres://u:p@o\r\nne/d"],
    ["a tab in its name", "postgres://u:p@one/\td"],
    ["a line break between two hosts", "postgres://u:p@one,\ntwo/d"],
    ["another protocol", "mysql://h/d"],
    ["an empty host among several", "postgres://u:p@one,/d"],
    ["a port that is no number", "postgres://u:p@one:x,two/d"],
    ["a port above 65535", "postgres://u:p@one:70000/d"],
    ["octets that are not UTF-8", "postgres://u:p%ec@one/d"],
    ["a slash in its password", "postgres://u:p@q/r@one/d"],
    ["a slash in its password, and no @ before it", "postgres://u:p/r@one/d"],
    ["a question mark in its password", "postgres://u:p?r@one/d?sslmode=verify-full"],
    ["a number sign in its password", "postgres://u:p#r@one/d"],
    ["an @ in its name that may as well be of its password", "postgres://u:p@one/d@x"],
    ["a preference for a standby", "postgres://u:p@one,two/d?target_session_attrs=prefer-standby"],
    ["a misspelt TLS parameter", "postgres://u:p@one/d?ssl_mode=verify-full"],
    ["a TLS parameter in capitals", "postgres://u:p@one/d?SSLMODE=verify-full"],
    ["no limit for statements", "postgres://u:p@one/d?statement_timeout=0"],
    ["another limit for idle transactions", "postgres://u:p@one/d?idle_in_transaction_session_timeout=9"],
    ["another application name", "postgres://u:p@one/d?application_name=bank-auth-1"],
    ["too many hosts", `postgres://u:p@${"h,".repeat(8)}h/d`],
  ] as const)
    it(`is refused, without being repeated, with ${what}`, () => {
      expect(() => parseDatabasePlace(url)).to.throw(/^must |^target_session_attrs must /);
      expect(() => parseDatabasePlace(url)).not.to.throw("u:p");
    });
});

const CONNECTIONS_OF_LINUX = "/proc/net/tcp";
const KEEP_ALIVE = "02";

/** When the kernel asks whether the other side of a connection to a port is still there, in hundredths of a second. */
function keepAliveTimers(port: number): readonly number[] {
  const lines = readFileSync(CONNECTIONS_OF_LINUX, "utf8").trim().split("\n").slice(1);
  return lines.flatMap((line) => {
    const [, , remote = "", , , timer = ""] = line.trim().split(/ +/);
    const [kind, when = ""] = timer.split(":");
    const isThere = Number.parseInt(remote.split(":")[1] ?? "", 16) === port;
    return isThere && kind === KEEP_ALIVE ? [Number.parseInt(when, 16)] : [];
  });
}

// Elsewhere nobody can look at the timers of a connection.
if (existsSync(CONNECTIONS_OF_LINUX))
  describe("Idle connection to a database", () => {
    it("has TCP keep-alive within seconds, so that a server that vanished is noticed", async () => {
      const url = await createTestDatabase();
      const { Client } = createDatabaseHosts(new Secret(url));
      const client = await new Client().connect();
      const timers = () => keepAliveTimers(Number(new URL(url).port));
      await eventually(() => timers().some((when) => when <= 1_000));
      await client.end();
    });
  });

describe("Database on a primary and a standby", function failover() {
  this.timeout(120_000);
  let pair: PostgresPair;
  let database: Database;
  const open = (url = pair.urls[0] ?? "") =>
    openDatabase({
      url: new Secret(url),
      maxConnections: 3,
      applicationName: "test",
      log: readableLog().log,
      timeLimits: { connection: 1_000, statement: 1_000 },
    });
  const insert = (n: number) =>
    database.run({ name: "insert", text: "INSERT INTO written VALUES ($1)", values: [n] });
  const written = async () => {
    const rows = await database.run<{ n: number }>({
      name: "find",
      text: "SELECT n FROM written",
      values: [],
    });
    return rows.map(({ n }) => n);
  };
  /** Asks until there is an answer: a busy machine too may take longer than a statement is waited for. */
  async function answerTo<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const answers: Answer[] = [];
    await eventually(async () => {
      try {
        answers.push(await ask());
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
      }
      return answers.length > 0;
    }, FAILOVER_LIMIT_MILLISECONDS);
    return answers[0];
  }
  const insertEventually = (n: number) => answerTo(() => insert(n));

  before(async () => {
    pair = await startPostgresPair(["paired"]);
    database = open();
    const table = { name: "", text: "CREATE TABLE IF NOT EXISTS written (n int)", values: [] };
    await answerTo(() => database.run(table));
  });
  after(async () => {
    await database?.close();
    await pair?.close();
  });

  it("is found on the second host when the first one is the standby", async () => {
    const turned = open((pair.urls[0] ?? "").replace(/@([^,]+),([^/]+)/, "@$2,$1"));
    await eventually(async () => {
      const rows = await turned
        .run<{ standby: boolean }>({
          name: "",
          text: "SELECT pg_is_in_recovery() AS standby",
          values: [],
        })
        .catch(() => []);
      return rows[0]?.standby === false;
    });
    await turned.close();
  });

  it("stays on the primary that has answered, whatever other attempts to connect fail", async () => {
    const { Client } = createDatabaseHosts(new Secret(pair.urls[0] ?? ""));
    const begun = { early: new Client({ connectionTimeoutMillis: 200 }), answered: new Client() };
    const late = new Client({ connectionTimeoutMillis: 200 });
    const connectWhileHung = async (client: pg.Client) => {
      await pair.primary.hang();
      await rejectionOf(client.connect());
      await pair.primary.resume();
    };
    await connectWhileHung(begun.early);
    await begun.answered.connect();
    await connectWhileHung(late);
    const next = new Client();
    await next.connect();
    await Promise.all([begun.answered.end(), next.end()]);
  });

  it("is followed to the promoted standby, with everything that was acknowledged", async () => {
    await Promise.all([1, 2, 3].map(insertEventually));
    await pair.primary.hang();
    expect(isDatabaseUnavailable(await rejectionOf(insert(4)))).to.equal(true);
    await pair.standby.promote();
    await insertEventually(5);
    expect(await answerTo(written)).to.include.members([1, 2, 3, 5]);
  });

  it("is never used on the former primary again, even when nobody has fenced it", async () => {
    await pair.primary.resume();
    await pair.standby.hang();
    for (let attempt = 0; attempt < 6; attempt += 1)
      expect(isDatabaseUnavailable(await rejectionOf(written()))).to.equal(true);
    await pair.standby.resume();
    await insertEventually(6);
    expect(await answerTo(written)).to.include.members([5, 6]);
  });
});
