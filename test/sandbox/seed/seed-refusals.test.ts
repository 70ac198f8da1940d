import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { expect } from "chai";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createMigratedTestDatabase, createTestDatabase } from "../../support/test-databases.ts";
import { seedRuns } from "./seed-runs.ts";

describe("npm run seed on other databases, or none", function program() {
  this.timeout(120_000);
  const { path, remove } = temporaryFolder();
  let url: string;
  before(async () => {
    url = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
  });
  after(remove);
  const { start, run } = seedRuns(() => ({ url, path }));

  it("refuses a production environment, whatever the database", async () => {
    const { exitCode, stderr } = await run("--transactions 10", { MODE: "production" });
    expect([exitCode, stderr]).to.deep.equal([3, "MODE is production\n"]);
  });

  it("accepts no option twice, and none as the value of another", async () => {
    const twice = await run("--transactions 100 --accounts 1 --transactions 5");
    expect(twice).to.deep.equal({
      exitCode: 2,
      stdout: "",
      stderr: "error: --transactions may be given only once\nSee --help.\n",
    });
    const swallowed = await run("--transactions 10 --seed --json");
    expect(swallowed).to.include({ exitCode: 2, stderr: "" });
    expect(JSON.parse(swallowed.stdout).message).to.include("--seed has no value before --json;");
  });

  it("refuses a database without a sandbox's tables, and one that was never a sandbox's", async () => {
    const empty = await createTestDatabase();
    const without = await start("--transactions 10", { RESOURCE_DATABASE_URL: empty }).ended();
    expect(without.exitCode).to.equal(3);
    const migrated = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    const never = await start("--transactions 10", { RESOURCE_DATABASE_URL: migrated, MODE: "" }).ended();
    expect(never.exitCode).to.equal(3);
    expect(never.stderr).to.include("not one of a sandbox");
  });

  it("reads the database URL from a file, and reports when it cannot or nobody answers", async () => {
    mkdirSync(path, { recursive: true });
    const file = join(path, "url");
    writeFileSync(file, `${url}\n`);
    const found = await run(`--transactions 10 --accounts 1 --seed file --json --database-url-file ${file}`, {
      RESOURCE_DATABASE_URL: "",
    });
    expect(found.exitCode, found.stderr).to.equal(0);
    expect((await run("--transactions 10 --database-url-file /nowhere")).exitCode).to.equal(2);
    expect((await run("--transactions 10", { RESOURCE_DATABASE_URL: "" })).exitCode).to.equal(4);
    const deaf = "postgresql://nobody@127.0.0.1:1/nothing";
    const silent = start("--transactions 10", { RESOURCE_DATABASE_URL: deaf });
    expect((await silent.ended()).exitCode).to.equal(4);
  });

  it("says what is wrong with a malformed database URL, and repeats nothing of it", async () => {
    const file = join(path, "no-url");
    for (const text of ["", "secret", "mysql://bank:secret@db/bank"]) {
      writeFileSync(file, text);
      const inFile = await run(`--transactions 10 --database-url-file ${file}`);
      expect(inFile, text).to.deep.equal({
        exitCode: 2,
        stdout: "",
        stderr: `what ${file} holds must be postgresql://user:password@host[:port][,host[:port]…]/database, with user, password and name percent-encoded\n`,
      });
    }
    const named = await run("--transactions 10", { RESOURCE_DATABASE_URL: "secret" });
    expect(named.exitCode).to.equal(2);
    expect(named.stderr).to.match(/^RESOURCE_DATABASE_URL must be /);
  });

  it("reports missing TLS, not a missing answer, when the URL asks for TLS", async () => {
    const wanted = start("--transactions 10", { RESOURCE_DATABASE_URL: `${url}?sslmode=no-verify` });
    expect(await wanted.ended()).to.deep.include({
      exitCode: 4,
      stderr: "no connection to the database: The server does not support SSL connections\n",
    });
  });

  it("reports missing TLS also when the environment asks for it and the URL does not", async () => {
    const wanted = start("--transactions 10", { PGSSLNEGOTIATION: "direct" });
    expect(await wanted.ended()).to.deep.include({
      exitCode: 4,
      stderr: "no connection to the database: sslnegotiation=direct requires SSL to be enabled\n",
    });
  });

  it("needs no TLS for a URL without, whatever the environment asks for", async () => {
    const changes = { RESOURCE_DATABASE_URL: `${url}?sslmode=disable`, PGSSLNEGOTIATION: "direct" };
    const { exitCode, stderr } = await start("--transactions 10 --accounts 1 --seed plain", changes).ended();
    expect([exitCode, stderr.includes("TLS")], stderr).to.deep.equal([0, false]);
  });

  it("says why a database refuses", async () => {
    const refused = start("--transactions 10", { RESOURCE_DATABASE_URL: `${url}_nothing` });
    const { exitCode, stderr } = await refused.ended();
    expect(exitCode).to.equal(4);
    expect(stderr).to.match(/^the database refuses: database ".+_nothing" does not exist\n$/);
  });

  for (const [wrong, commandLine] of [
    ["a count that is no number", "--transactions many"],
    ["no transactions", "--accounts 3"],
    ["an unknown PSU", "--transactions 10 --psu nobody"],
    ["a seed that no id can hold", "--transactions 10 --seed a.b"],
    ["a largest account with too many", "--transactions 10 --accounts 5 --largest 9"],
    ["more accounts than transactions", "--transactions 3 --accounts 5"],
  ] as const)
    it(`refuses ${wrong} as wrong usage`, async () => {
      expect((await run(commandLine)).exitCode).to.equal(2);
    });

  it("explains with --json why nothing is brought in, in a single object", async () => {
    const [wrong, guessed, absent] = await Promise.all([
      run("--json --transactions many"),
      run("--json --transactions 10 --guess"),
      run("--json --transactions 10", { RESOURCE_DATABASE_URL: "" }),
    ]);
    expect([wrong, guessed, absent].map(({ exitCode, stderr }) => [exitCode, stderr])).to.deep.equal([
      [2, ""],
      [2, ""],
      [4, ""],
    ]);
    expect(JSON.parse(wrong.stdout)).to.have.keys("error", "message").and.include({ error: "usage" });
    expect(JSON.parse(guessed.stdout).message).to.include("unknown option '--guess'");
    expect(JSON.parse(absent.stdout)).to.include({ error: "no_database" });
  });
});
