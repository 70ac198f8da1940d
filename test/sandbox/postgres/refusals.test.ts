import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { findEmbeddedBinaries } from "../../../packages/sandbox/src/postgres/find-embedded-binaries.ts";
import { PostgresRefusal } from "../../../packages/sandbox/src/postgres/postgres-refusal.ts";
import { freePort } from "../../support/free-port.ts";
import { ask, serverFolder } from "./started-server.ts";

describe("PostgreSQL launcher", () => {
  const folder = serverFolder();
  afterEach(() => folder.stop());
  after(() => folder.remove());

  it("refuses a folder of another major version, says which and what to do, and leaves it unchanged", async () => {
    await (await folder.start()).stop();
    const version = join(folder.path, "cluster", "data", "PG_VERSION");
    await writeFile(version, "15\n");
    const { code, message } = await refusalOf(folder.start());
    expect(await readFile(version, "utf8")).to.equal("15\n");
    await writeFile(version, "18\n");
    expect(code).to.equal("other-major-version");
    expect(message)
      .to.match(/PostgreSQL 15/)
      .and.match(/PostgreSQL 18/)
      .and.match(/Move the folder away/);
  });

  it("refuses a port that is taken, by its number", async () => {
    const port = await freePort();
    const occupant = createServer().listen(port, "127.0.0.1");
    await once(occupant, "listening");
    const { code, message } = await refusalOf(folder.start({ port }));
    occupant.close();
    expect(code).to.equal("port-taken");
    expect(message).to.contain(String(port));
  });

  it("refuses a folder whose server it cannot attach to, once its patience is over", async () => {
    const server = await folder.start();
    await rm(join(folder.path, "server.json"));
    const since = Date.now();
    const steps: string[] = [];
    const { code } = await refusalOf(
      folder.start({ patienceMs: 500, onProgress: (step) => steps.push(step) }),
    );
    expect(code).to.equal("folder-in-use");
    expect(steps).to.deep.equal(["starting", "waiting for an earlier server to end"]);
    expect(Date.now() - since).to.be.at.least(500);
    expect(await ask(server.superuserUrl(), "SELECT 1")).to.deep.equal([1]);
  });

  it("refuses a server that cannot start, with the end of its log and without the password", async () => {
    await (await folder.start()).stop();
    const configuration = join(folder.path, "cluster", "data", "postgresql.auto.conf");
    await writeFile(configuration, "nosuch_setting = 1\n");
    const { code, message } = await refusalOf(folder.start());
    await rm(configuration);
    expect(code).to.equal("did-not-start");
    expect(message).to.match(/nosuch_setting/);
    expect(message).not.to.contain(
      await readFile(join(folder.path, "cluster", "superuser-password"), "utf8"),
    );
  });

  it("refuses a platform without binaries, by its name, and points to DATABASE_URL", async () => {
    const { code, message } = await refusalOf(findEmbeddedBinaries({ os: "plan9", architecture: "vax" }));
    expect(code).to.equal("platform-unsupported");
    expect(message)
      .to.match(/plan9-vax/)
      .and.match(/DATABASE_URL/);
  });

  it("refuses binaries that do not run here, and says why", async () => {
    const binaries = () => Promise.resolve({ root: "/nonexistent", links: [] });
    const { code, message } = await refusalOf(folder.start({}, { name: "none", binaries }));
    expect(code).to.equal("platform-unsupported");
    expect(message).to.match(/\/nonexistent\/bin/);
  });
});

async function refusalOf(attempt: Promise<unknown>): Promise<PostgresRefusal> {
  const outcome = await attempt.catch((error: unknown) => error);
  if (outcome instanceof PostgresRefusal) return outcome;
  throw new Error(`expected a refusal, got ${String(outcome)}`);
}
