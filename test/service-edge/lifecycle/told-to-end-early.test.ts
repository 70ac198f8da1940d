import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { expect } from "chai";
import pg from "pg";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { startProgram } from "../../support/program.ts";
import { makeServiceEnvironments } from "../../support/service-environments.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";

const WAITS = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe("Service that is told to end while it starts", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it("exits with 0, without reporting what it then finds closed", async () => {
    const connectionString = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
    const { auth } = await makeServiceEnvironments(folder.path);
    const [holder, observer] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
    await Promise.all([holder.connect(), observer.connect()]);
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE server_key");
    const service = startProgram("packages/auth/src/main.ts", [], {
      ...auth,
      DATABASE_URL: connectionString,
    });
    // Its keys are asked for: the pool is open, and the service has not begun.
    await eventually(async () => (await observer.query(WAITS)).rowCount !== 0, 30_000);
    service.child.kill("SIGTERM");
    await service.says("stdout", /"stopping"/);
    await Promise.all([holder.end(), observer.end()]);
    const { exitCode, stdout, stderr } = await service.ended();
    expect(stderr).not.to.match(/^auth: /m);
    expect(stdout).not.to.include("could not start");
    expect(exitCode).to.equal(0);
  });

  it("ends all its processes, even those that cannot receive signals yet", async function ends() {
    this.timeout(120_000);
    const { auth } = await makeServiceEnvironments(folder.path);
    const [databasePort, operatorPort] = [await freePort(), await freePort()];
    const service = startProgram("packages/auth/src/main.ts", ["--processes", "2"], {
      ...auth,
      // Nobody is there: it is waited for, for ever.
      DATABASE_URL: `postgres://auth:secret@127.0.0.1:${databasePort}/auth`,
      OPERATOR_PORT: String(operatorPort),
    });
    // The first process has just started the others.
    const isThere = () =>
      fetch(`http://127.0.0.1:${operatorPort}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(isThere, 30_000);
    service.child.kill("SIGTERM");
    const { exitCode, stdout } = await service.ended();
    expect(stdout.match(/"stopping"/g)).to.have.length(2);
    expect(exitCode).to.equal(0);
  });
});
