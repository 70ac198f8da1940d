import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_AUTH } from "@cobs/auth";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_RESOURCE } from "@cobs/resource";
import { DatabaseUnsuitable, migrateDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import pg from "pg";
import { NUMBERED_TABLES } from "../../packages/auth/src/numbered-tables.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";
import { createMigratedTestDatabase, runAsOperatorOf } from "../support/test-databases.ts";

const BLOCK = `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at)
  VALUES (gen_random_uuid(), 'fraud', 'officer', now())`;
/** A draw of its own, as that of a balance check. */
const CHECK = `INSERT INTO balance_check (response_identification, organisation_identifier, account_id, amount)
  OVERRIDING SYSTEM VALUE VALUES (1700000000000000, 'PSDCZ-CNB-1', 'account', '1 CZK')`;
/** As in a database into which rows were replicated. */
const restart = (table: string) => `ALTER SEQUENCE ${table}_id_seq RESTART`;
const IDENTITY_COLUMNS = `SELECT relname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE attidentity <> '' AND relnamespace = 'public'::regnamespace`;

describe("Sequences of a database at the start of a service", () => {
  let url: string;
  let client: pg.Client;
  beforeEach(() => open(MIGRATIONS_OF_AUTH));
  afterEach(() => client.end());

  async function open(migrations: string): Promise<void> {
    url = await createMigratedTestDatabase(migrations);
    client = new pg.Client({ connectionString: url });
    await client.connect();
  }
  const start = (at = url, directory = MIGRATIONS_OF_AUTH) =>
    migrateDatabase({ url: new Secret(at), directory, log: readableLog().log, numbered: NUMBERED_TABLES });

  async function refusal(): Promise<string> {
    const error = await rejectionOf(start());
    expect(error).to.be.instanceOf(DatabaseUnsuitable).with.property("code", "sequences_behind");
    const { message } = error as DatabaseUnsuitable;
    expect(message).not.to.match(/\n/);
    return message;
  }

  it("are refused when the next id is there already, until the statements of the message have run", async () => {
    for (let nth = 0; nth < 3; nth += 1) await client.query(BLOCK);
    await client.query(restart("psu_block"));
    await client.query(restart("schema_migration"));
    const message = await refusal();
    expect(message).to.include("in schema_migration, psu_block.");
    const [, statements = ""] = /run: (.+)$/.exec(message) ?? [];
    expect(statements).to.include("SELECT setval('public.psu_block_id_seq', max(id)) FROM psu_block");
    await client.query(statements);
    await start();
    await client.query(BLOCK);
  });

  it("are refused when only the last id would be given again", async () => {
    await client.query(BLOCK);
    await client.query("SELECT setval('psu_block_id_seq', 1, false)");
    expect(await refusal()).to.include("psu_block");
    await client.query("SELECT setval('psu_block_id_seq', 1)");
    await start();
  });

  it("are accepted while rows are added by somebody who has not committed", async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query("BEGIN");
    await other.query(BLOCK);
    await client.query(BLOCK);
    await start();
    await other.query("COMMIT");
    await start();
    await other.end();
  });

  it("are not looked at by a role that may only use the tables", async () => {
    await client.query(BLOCK);
    await client.query(restart("psu_block"));
    const [use, name] = [new URL(url), new URL(url).pathname.slice(1)];
    use.username = `${name}_use`;
    await runAsOperatorOf(name, [
      `CREATE ROLE ${use.username} LOGIN`,
      `GRANT CONNECT ON DATABASE ${name} TO ${use.username}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${use.username}`,
    ]);
    await start(use.href);
  });

  it("are looked at in all tables of auth that have one", async () => {
    const { rows } = await client.query<{ relname: string }>(IDENTITY_COLUMNS);
    expect(rows.map(({ relname }) => relname)).to.have.members([...NUMBERED_TABLES]);
  });

  it("are looked at in none of resource's, of which the only one that has one draws its numbers", async () => {
    await client.end();
    await open(MIGRATIONS_OF_RESOURCE);
    const { rows } = await client.query(IDENTITY_COLUMNS);
    expect(rows).to.deep.equal([{ relname: "balance_check" }]);
    await client.query(CHECK);
    await start(url, MIGRATIONS_OF_RESOURCE);
  });
});
