import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { migrateDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import pg from "pg";
import { rejectionOf } from "../support/rejection.ts";
import { createTestDatabase, runAsOperatorOfDatabases } from "../support/test-databases.ts";
import { readableLog } from "../support/test-listener.ts";

const GUIDE = resolve(import.meta.dirname, "../../packages/service-edge/OPERATING.md");
/** The server is that of other tests too. */
const NAME = "as_documented";

describe("a database made with the SQL of the documentation", () => {
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

  it("is one that a service begins on", () => migrate(`postgresql://${NAME}@${place}/${NAME}`));

  it("is one that its second role, for another password, leaves to the first", async () => {
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
});
