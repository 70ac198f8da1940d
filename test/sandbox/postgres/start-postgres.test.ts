import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { engineOfThisRun } from "../../support/postgres-engines.ts";
import { ask, type ServerFolder, serverFolder } from "./started-server.ts";

const engine = engineOfThisRun();
describe(`PostgreSQL launcher over ${engine.name}`, () => {
  let folder: ServerFolder;
  beforeEach(() => {
    folder = serverFolder();
  });
  afterEach(() => folder.remove());

  it("makes the cluster at the first start and keeps its data at the second", async () => {
    const steps: string[] = [];
    const first = await folder.start({ onProgress: (step) => steps.push(step) }, engine);
    await ask(first.superuserUrl(), "CREATE TABLE kept AS SELECT 7 AS n");
    await first.stop();
    expect(await first.ended).to.deep.equal({ exitCode: 0, signal: null, stopped: true });
    const second = await folder.start({ onProgress: (step) => steps.push(step) }, engine);
    expect(await ask(second.superuserUrl(), "SELECT n FROM kept")).to.deep.equal([7]);
    expect(steps).to.deep.equal(["creating", "starting", "starting"]);
  });

  it("keeps every commit through a power cut, and checks its pages", async () => {
    const server = await folder.start({ durability: "full" }, engine);
    const settings = await ask(
      server.superuserUrl(),
      `SELECT name || '=' || setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit',
          'full_page_writes', 'data_checksums', 'listen_addresses', 'unix_socket_directories', 'TimeZone',
          'server_encoding', 'log_min_error_statement') ORDER BY name COLLATE "C"`,
    );
    expect(settings).to.deep.equal([
      "TimeZone=UTC",
      "data_checksums=on",
      "fsync=on",
      "full_page_writes=on",
      "listen_addresses=127.0.0.1",
      "log_min_error_statement=panic",
      "server_encoding=UTF8",
      "synchronous_commit=on",
      "unix_socket_directories=",
    ]);
    expect(
      Math.floor(Number((await ask(server.superuserUrl(), "SHOW server_version_num"))[0]) / 10_000),
    ).to.equal(server.majorVersion);
  });

  it("lets nobody in without the password, which only the owner can read", async () => {
    const server = await folder.start({}, engine);
    const url = new URL(server.superuserUrl());
    url.password = "wrong";
    const refused = await ask(url.href, "SELECT 1").catch((error: unknown) => error);
    expect(refused).to.have.property("code", "28P01");
    const { mode } = await stat(join(folder.path, "cluster", "superuser-password"));
    expect(mode & 0o777).to.equal(0o600);
  });

  it("lets two start at once on an empty folder: one makes the server, the other attaches", async () => {
    const servers = await Promise.all([folder.start({}, engine), folder.start({}, engine)]);
    expect(servers.map(({ owned }) => owned).sort()).to.deep.equal([false, true]);
    expect(servers[0].superuserUrl()).to.equal(servers[1].superuserUrl());
    expect((await readdir(folder.path)).filter((name) => name.includes("new"))).to.deep.equal([]);
  });
});

describe("PostgreSQL server", () => {
  const folder = serverFolder();
  afterEach(() => folder.stop());
  after(() => folder.remove());

  it("stays with its starter when an attached process stops", async () => {
    const owner = await folder.start();
    const guest = await folder.start();
    expect([owner.owned, guest.owned, guest.pid]).to.deep.equal([true, false, owner.pid]);
    await guest.stop();
    expect(await ask(owner.superuserUrl(), "SELECT 1")).to.deep.equal([1]);
    await owner.stop();
    expect((await guest.ended).stopped).to.equal(false);
  });

  it("stops without waiting for a running statement, also when asked twice", async () => {
    const server = await folder.start();
    const asked = ask(server.superuserUrl(), "SELECT pg_sleep(300)").catch((error: unknown) => error);
    await ask(server.superuserUrl(), "SELECT 1");
    await Promise.all([server.stop(), server.stop()]);
    expect(await asked, "the statement would take five minutes").to.be.instanceOf(Error);
  });

  it("listens on the port that it is given", async () => {
    const first = await folder.start();
    await first.stop();
    const second = await folder.start({ port: first.port });
    expect(second.port).to.equal(first.port);
  });

  it("keeps statements and rows out of its log", async () => {
    const server = await folder.start();
    await ask(server.superuserUrl(), "CREATE TABLE t (n text PRIMARY KEY)");
    await ask(server.superuserUrl(), "INSERT INTO t VALUES ('se' || 'cret')");
    const refused = await ask(server.superuserUrl(), "INSERT INTO t VALUES ('secret')").catch(
      () => "refused",
    );
    expect(refused).to.equal("refused");
    await server.stop();
    const log = await readFile(join(folder.path, "server.log"), "utf8");
    expect(log)
      .to.match(/duplicate key/)
      .and.not.match(/secret/);
  });
});
