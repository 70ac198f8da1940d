import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { resolve } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_RESOURCE } from "@cobs/resource";
import { migrateDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import pg from "pg";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { register } from "../auth/test-application.ts";
import { isActive, tokensFor } from "../auth/use-tokens.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import {
  createMigratedTestDatabase,
  createTestDatabase,
  runAsOperatorOf,
  runAsOperatorOfDatabases,
} from "../support/test-databases.ts";

const GUIDE = resolve(import.meta.dirname, "../../packages/service-edge/OPERATING.md");
const OPERATIONS = resolve(import.meta.dirname, "../../scripts/operations/README.md");
/** The server is that of other tests too. */
const NAME = "as_documented";

describe("Database made with the SQL of the documentation", () => {
  let place: string;
  before(async () => {
    const blocks = [...readFileSync(GUIDE, "utf8").matchAll(/```sql\n(CREATE ROLE[^`]+)```/g)];
    const statements = blocks.flatMap(([, sql = ""]) => sql.trim().split("\n"));
    expect(statements).to.have.length(5);
    place = await runAsOperatorOfDatabases(
      statements.map((each) => each.replaceAll(/\bauth(?=\b|_b\b)/g, NAME)),
    );
  });

  const migrate = (url: string) =>
    migrateDatabase({
      url: new Secret(url),
      directory: MIGRATIONS_DIRECTORY,
      log: readableLog().log,
      patience: { unavailable: 60_000, unprepared: 0 },
    });

  it("is accepted by a service at its start", () => migrate(`postgresql://${NAME}@${place}/${NAME}`));

  it("makes tables created by the second role, for another password, belong to the first", async () => {
    const url = `postgresql://${NAME}_b@${place}/${NAME}`;
    await migrate(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("CREATE TABLE later ()");
    const { rows } = await client.query(
      "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'",
    );
    await client.end();
    expect(rows).to.deep.equal([{ tableowner: NAME }]);
  });

  it("lets no other role connect", async () => {
    const { username } = new URL(await createTestDatabase());
    const error = await rejectionOf(migrate(`postgresql://${username}@${place}/${NAME}`));
    expect(error)
      .to.have.property("message")
      .that.matches(/^no connection to the database: permission denied for database/);
  });

  it("yields one clear sentence when the server wants a password and the URL has none", async () => {
    const server = createServer((socket) => {
      const say = (...parts: readonly (number | string)[]) => {
        const body = Buffer.concat(
          parts.map((part) => (typeof part === "string" ? Buffer.from(part) : int32(part))),
        );
        socket.write(Buffer.concat([Buffer.from("R"), int32(body.length + 4), body]));
      };
      socket.once("data", () => {
        say(10, "SCRAM-SHA-256\0\0");
        socket.once("data", (asked) => {
          const [, nonce] = /r=(.+)$/.exec(String(asked)) ?? [];
          say(11, `r=${nonce}0,s=AAAA,i=4096`);
        });
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const error = await rejectionOf(migrate(`postgresql://${NAME}@127.0.0.1:${port}/${NAME}`));
    // Who is refused keeps no connection: it would keep the server open.
    const closed = once(server, "close");
    server.close();
    await closed;
    expect(error).to.have.property("message", "no connection to the database: its URL has no password");
  });
});

describe("Role without schema rights, made with the SQL of the documentation", () => {
  let auth: RunningAuth;
  let url: URL;
  before(async () => {
    const owner = new URL(await createTestDatabase());
    url = new URL(owner);
    url.username = `${owner.username}_use`;
    const [, sql = ""] =
      /```sql\n-- in the database auth\n([^`]+)```/.exec(readFileSync(GUIDE, "utf8")) ?? [];
    const statements = sql.trim().split("\n");
    expect(statements).to.have.length(4);
    await runAsOperatorOf(
      owner.username,
      statements.map((each) => each.replaceAll(/\bauth(?=\b|_use\b)/g, owner.username)),
    );
    // The schema comes after the rights, as that of a later release does.
    await migrateDatabase({
      url: new Secret(owner.href),
      directory: MIGRATIONS_DIRECTORY,
      log: readableLog().log,
    });
    const [, revocation = ""] = /```sql\n(REVOKE[^`]+)```/.exec(readFileSync(GUIDE, "utf8")) ?? [];
    await runAsOperatorOf(owner.username, [revocation.replace("auth_use", url.username)]);
    auth = await runAuth({}, undefined, { ownDatabase: url.href });
  });
  after(() => auth.stop());

  it("has all the rights that auth needs", async () => {
    const application = await register(auth);
    const { access_token } = await tokensFor(auth, application);
    expect(await isActive(auth, access_token)).to.equal(true);
  });

  it("cannot change which migrations are recorded as applied", async () => {
    for (const said of [
      "DELETE FROM schema_migration",
      "INSERT INTO schema_migration VALUES (1000, 'later')",
    ])
      expect(await rejectionOf(auth.database.pool.query(said)), said).to.have.property("code", "42501");
  });

  it("cannot switch off the triggers that guard the audit log", async () => {
    const switchOff = auth.database.pool.query("ALTER TABLE audit_entry DISABLE TRIGGER ALL");
    expect(await rejectionOf(switchOff)).to.have.property("code", "42501");
  });
});

function int32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeInt32BE(value);
  return octets;
}

describe("Documented SQL for officers who look into the databases", () => {
  const blocks = [
    ...readFileSync(OPERATIONS, "utf8").matchAll(/```sql\n-- auth\n([^`]+)-- resource\n([^`]+)```/g),
  ];

  for (const [at, directory] of [MIGRATIONS_DIRECTORY, MIGRATIONS_OF_RESOURCE].entries())
    it(`runs on the database of ${["auth", "resource"][at]}`, async () => {
      const client = new pg.Client({ connectionString: await createMigratedTestDatabase(directory) });
      await client.connect();
      const statements = blocks.flatMap((block) => (block[at + 1] ?? "").trim().split(/;\n/));
      expect(statements).to.have.length.above(2);
      for (const statement of statements) expect((await client.query(statement)).rows).to.deep.equal([]);
      await client.end();
    });
});
