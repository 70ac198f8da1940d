import { once } from "node:events";
import { createServer } from "node:net";
import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { MIGRATIONS_DIRECTORY as MIGRATIONS_OF_RESOURCE } from "@cobs/resource";
import { expect } from "chai";
import pg from "pg";
import { freePort } from "../../support/free-port.ts";
import { runProgram } from "../../support/program.ts";
import { makeServiceEnvironments } from "../../support/service-environments.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";

const NO_DATABASE = "postgresql://nobody@127.0.0.1:1/nothing";
const BLOCK = `INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by)
  VALUES ('organisation', 'PSDCZ-CNB-1', 'operator', 'fraud', 'officer')`;
/** For documentation (RFC 5737): no machine has it. */
const OF_NOBODY = "192.0.2.1";

describe("Service that cannot start", () => {
  const folder = temporaryFolder();
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    environment = (await makeServiceEnvironments(folder.path)).auth;
  });
  after(() => folder.remove());

  const run = (changed: Readonly<Record<string, string>>, ...commandLine: string[]) =>
    runProgram("packages/auth/src/main.ts", commandLine, { ...environment, ...changed });

  /** What is said to a person, but for what Node says of itself. */
  const linesOf = (stderr: string) => stderr.split("\n").filter((line) => line.startsWith("auth: "));

  for (const processes of ["1", "2"]) {
    it(`reports in one line that the operator's port is taken (${processes})`, async () => {
      const port = await freePort();
      const taken = createServer().listen(port, "127.0.0.1");
      await once(taken, "listening");
      const changed = { OPERATOR_PORT: String(port), DATABASE_URL: NO_DATABASE };
      const { exitCode, stdout, stderr } = await run(changed, "--processes", processes);
      taken.close();
      expect(linesOf(stderr)).to.deep.equal([
        `auth: port ${port} on 127.0.0.1, wanted for the operator listener, is taken by another process`,
      ]);
      expect(stderr).not.to.match(/^ +at /m);
      expect(stdout).to.include('"the service could not start"');
      expect(exitCode).to.equal(1);
    });

    it(`names the variable of an operator address that this machine does not have (${processes})`, async () => {
      const changed = { OPERATOR_HOST: OF_NOBODY, DATABASE_URL: NO_DATABASE };
      const { exitCode, stderr } = await run(changed, "--processes", processes);
      expect(linesOf(stderr)).to.have.length(1);
      expect(stderr)
        .to.include("OPERATOR_HOST is not an address of this machine")
        .and.not.match(/^ +at /m);
      expect(exitCode).to.equal(1);
    });

    it(`exits with 78 on a database of the other service (${processes})`, async () => {
      const DATABASE_URL = await createMigratedTestDatabase(MIGRATIONS_OF_RESOURCE);
      const { exitCode, stderr } = await run({ DATABASE_URL }, "--processes", processes);
      for (const line of linesOf(stderr))
        expect(line).to.match(
          /^auth: the database belongs to another service: .+ Nothing was changed in it$/,
        );
      expect(linesOf(stderr)).not.to.have.length(0);
      expect(exitCode).to.equal(78);
    });
  }

  it("exits with 78 and names the statement when the next block would have an id that is there", async () => {
    const DATABASE_URL = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    await client.query(BLOCK);
    await client.query("ALTER SEQUENCE stop_list_block_id_seq RESTART");
    await client.end();
    const { exitCode, stderr } = await run({ DATABASE_URL });
    expect(linesOf(stderr)).to.deep.equal([
      "auth: ids that a sequence gives next are there already, as after logical replication, in stop_list_block. As the role that owns the database, run: SELECT setval('public.stop_list_block_id_seq', max(id)) FROM stop_list_block",
    ]);
    expect(exitCode).to.equal(78);
  });

  it("names the variable of a listening host that does not exist", async () => {
    const DATABASE_URL = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    const { exitCode, stderr } = await run({ DATABASE_URL, LISTEN_HOST: "not.a.host.invalid" });
    expect(linesOf(stderr)).to.have.length(1);
    expect(stderr).to.include("LISTEN_HOST is not an address of this machine");
    expect(exitCode).to.equal(1);
  });
});
